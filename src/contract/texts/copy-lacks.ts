/** What the server says of what a copy of the site has to do without: to whoever asks for it, and in a file of its own. */
export const copyLacksTexts = {
  file: 'FALTA.txt',
  portrait: 'tu retrato',
  pictureOf: '«{title}» ({section})',
  further: '{n} más',
  pictureOne: 'Al ZIP le falta una imagen, que el servidor no tiene: {names}.',
  pictureMany: 'Al ZIP le faltan {n} imágenes, que el servidor no tiene: {names}.',
  unreadOne: 'Al ZIP le falta una imagen, que el servidor no pudo leer: {names}.',
  unreadMany: 'Al ZIP le faltan {n} imágenes, que el servidor no pudo leer: {names}.',
  unreadAdvice:
    'Descárgalo otra vez en unos minutos; si sigue igual, vuelve a subir lo que falta o restaura una copia de seguridad.',
  advice: 'Vuelve a subir lo que falta o restaura una copia de seguridad.',
  cv: 'El ZIP va sin el CV en PDF, que no se pudo dibujar. Descárgalo otra vez en unos minutos.',
} as const
