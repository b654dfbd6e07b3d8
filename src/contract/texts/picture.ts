const altHint = 'Lo que diría quien no ve la imagen.'

/** Words about what a picture says to whoever does not see it; they travel with the owner's code. */
export const pictureTexts = {
  alt: 'Texto alternativo',
  altOfCard: `${altHint} Vacío si solo decora.`,
  altOfIcon: `${altHint} Vacío, se dice el nombre.`,
  altOfPortrait: `${altHint} Vacío, se dice «Retrato de» y tu nombre.`,
} as const
