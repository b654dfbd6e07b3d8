const altHint = 'Lo que diría quien no ve la imagen.'

export const pictureTexts = {
  alt: 'Texto alternativo',
  altOfCard: `${altHint} Vacío si solo decora.`,
  altOfIcon: `${altHint} Vacío, se dice el nombre.`,
  altOfPortrait: `${altHint} Vacío, se dice «Retrato de» y tu nombre.`,
} as const
