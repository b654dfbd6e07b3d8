/** What the server's start and its commands write for the person in front of the terminal. */
export const cliTexts = {
  listening: 'Tu portafolio está en {address}',
  publicAddress: 'Sus enlaces llevan a {publicUrl}',
  portTaken:
    'El puerto {port} ya está en uso. Cierra el otro programa o elige otro puerto con la variable PORT.',
  setup: 'Abre este enlace para crear tu acceso. Vale {minutes} minutos y una sola vez:',
  reset:
    'Abre este enlace para elegir una contraseña nueva para {name}. Vale {minutes} minutos y una sola vez:',
  hasOwner: 'Este portafolio ya tiene su acceso: {name}.',
  resetHint: 'Si olvidaste la contraseña, ejecuta «npm run owner -- reset-password».',
  noOwner: 'Este portafolio todavía no tiene acceso. Ejecuta «npm run owner» para crearlo.',
  noFirebaseAccount:
    'Este portafolio usa Firebase, pero falta su cuenta de servicio: sin la variable FIREBASE_SERVICE_ACCOUNT_FILE no puede enviar avisos ni subir imágenes.',
  usage: 'Uso: npm run owner [-- reset-password]',
} as const
