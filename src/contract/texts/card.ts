export const cardTexts = {
  codeOf: 'Código QR de {address}',
  save: 'Guardar contacto',
  share: 'Compartir',
  awake: 'La pantalla queda encendida mientras la muestras',
  notShared: 'No se pudo compartir. Dicta la dirección: {address}',
} as const
