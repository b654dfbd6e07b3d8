/** Words that the owner's forms share with what waits on a visitor's device, and with the way in. */
export const commonTexts = {
  edit: 'Editar',
  cancel: 'Cancelar',
  unknownCategory: 'Categoría no válida',
  notSaved: 'No se pudo guardar.',
  uploadFailed: 'No se pudo subir la imagen.',
} as const
