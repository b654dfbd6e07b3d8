/** Words of the pages that stand in for one that was not drawn; only the server says them. */
export const errorPageTexts = {
  /** The server has written down why, where its operator reads it. */
  logged: 'Ya quedó registrado.',
  /** Said of the contact form, which was refused before anybody had read it. */
  formStays:
    'Tu mensaje no se envió. Vuelve a la página anterior: lo que escribiste sigue en el formulario.',
} as const
