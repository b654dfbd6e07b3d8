/** Pairs are for masculine and feminine nouns. */
export const hiddenTexts = {
  label: 'Visible para todos',
  hint: 'Apagado, solo tú lo ves: ni en tu sitio, ni en el CV, ni en el PDF.',
  yes: 'Sí',
  no: 'No',
  badge: ['Oculto', 'Oculta'],
  onlyYou: ['Solo lo ves tú', 'Solo la ves tú'],
  publish: 'Publicar',
  publishName: 'Publicar {name}',
  published: '«{name}» está a la vista de todos.',
  publishFailed: 'No fue posible publicar «{name}».',
  shown: ['{n} publicados', '{n} publicadas'],
  shownOne: ['1 publicado', '1 publicada'],
  hidden: ['{n} ocultos', '{n} ocultas'],
  hiddenOne: ['1 oculto', '1 oculta'],
  queuedHiding: 'Ocultar {noun} «{name}»',
  queuedPublishing: 'Publicar {noun} «{name}»',
} as const
