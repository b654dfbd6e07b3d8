import { email, paragraph, text } from '../fields.ts'

export const contactFields = {
  name: text('Nombre', { limit: 200, autocomplete: 'name' }),
  email: email('Correo', { autocomplete: 'email' }),
  message: paragraph('Mensaje'),
}

/** The field that only robots fill; people never see it. */
export const honeypotField = 'website'

export const contactNotices = {
  sent: 'El mensaje fue enviado con éxito',
  failed: 'Ocurrió un error al enviar el mensaje',
}

export const contactTexts = {
  title: '¡Contactame!',
  lead: 'Cuéntame en qué estás trabajando.',
  submit: 'Enviar mensaje',
  offline:
    'Sin conexión. Puedes escribir igual: el mensaje se envía solo cuando vuelvas a estar en línea.',
  sentTitle: 'Mensaje enviado',
  sentBody: 'Gracias por escribir. Tu mensaje ya está en la bandeja.',
  again: 'Escribir otro mensaje',
  ways: 'Otras formas de contacto',
  honeypot: 'No completes este campo',
} as const
