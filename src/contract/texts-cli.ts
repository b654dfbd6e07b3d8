/** What the server's start and its commands write for the person in front of the terminal. */
export const cliTexts = {
  setup: 'Abre este enlace para crear tu acceso. Vale {minutes} minutos y una sola vez:',
  reset:
    'Abre este enlace para elegir una contraseña nueva para {name}. Vale {minutes} minutos y una sola vez:',
  hasOwner: 'Este portafolio ya tiene su acceso: {name}.',
  resetHint: 'Si olvidaste la contraseña, ejecuta «npm run owner -- reset-password».',
  noOwner: 'Este portafolio todavía no tiene acceso. Ejecuta «npm run owner» para crearlo.',
  usage: 'Uso: npm run owner [-- reset-password]',
} as const
