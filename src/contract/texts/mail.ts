export const mailTexts = {
  from: 'Tintero',
  messageSubject: 'Mensaje de {name}',
  messageFoot: 'Te escribieron desde ¡Contactame!, en {url}. Tu respuesta va a {email}.',
  resetSubject: 'Elige una contraseña nueva',
  resetBody:
    'Alguien, quizá tú, dijo en {url} que olvidó la contraseña.\n\nCon este enlace eliges otra; funciona una sola vez, durante {minutes} minutos:\n\n{link}\n\nSi no fuiste tú, no hace falta que hagas nada: tu contraseña sigue siendo la misma.',
  refused: 'El servidor de correo no lo aceptó.',
  unreachable: 'El servidor de correo no responde.',
  /** Always the same, whoever was named. */
  resetAsked: 'Si ese correo es el de acceso, en unos minutos te llega un enlace.',
} as const
