/** How a copy of the site is to be. */
export const siteCopyTexts = {
  address: 'Dirección',
  addressHint: 'Dónde publicarás el ZIP. Vacía: la de este sitio.',
  contact: 'Contacto',
  contactHint: 'Un sitio sin servidor no recibe mensajes. Su botón de contacto lleva…',
  choices: {
    mail: 'A tu correo, {email}',
    server: 'Al formulario de este sitio',
    service: 'A un servicio que recibe formularios',
    none: 'A ningún lado: se lee que el formulario está cerrado',
  },
  service: 'Dirección del servicio',
  serviceHint: 'La que te da el servicio, si eliges uno.',
  formClosed: 'Tu formulario está cerrado en Ajustes, y en el ZIP también.',
  download: 'Descargar',

  noAddress: 'Escribe una dirección como https://lucia.example o https://lucia.example/cv',
  noContact: 'Elige a dónde lleva el contacto.',
  noMail: 'Tu sitio no tiene correo. Escríbelo en Ajustes o elige otra forma de contacto.',
  noService: 'Escribe una dirección https que reciba formularios.',
} as const
