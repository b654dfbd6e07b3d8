export const sharedTexts = {
  title: 'Compartido desde otra aplicación',
  hint: '{what}. Revísalos antes de confirmar: nada se publica solo.',
  /** What was shared, by the field that took it. */
  parts: {
    name: 'un título',
    description: 'un texto',
    demo: 'un enlace',
    image: 'una imagen',
  },
  missing: 'No se pudo recibir lo que compartiste.',
  missingHint:
    'Puede que pese más de 10 MB o que este navegador no guarde datos. Escríbelo aquí o compártelo otra vez.',
  fullHint:
    'Ya esperaban {n} cosas compartidas. Envía o descarta una de ellas y comparte esta otra vez.',
  discard: 'Descartar',
} as const
