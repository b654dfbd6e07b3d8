export const messageTexts = {
  kept: 'Mensaje guardado. Se enviará al volver la conexión.',
  unkept:
    'El mensaje no salió y este navegador no lo guarda: deja la página abierta y se envía al volver la conexión.',
  pending: 'Pendiente',
  waiting: 'Se envía solo cuando vuelva la conexión.',
  mayGo: 'Este navegador puede borrarlo si le falta espacio.',
  sending: 'Enviando…',
  retrying: 'El servidor todavía no lo recibió. El mensaje sigue aquí y se vuelve a intentar solo.',
  sentMany: 'Se enviaron {n} mensajes.',

  refused: 'No se envió',
  refusedLate: 'Tu mensaje no se envió. Sigue guardado en Contacto.',
  arrivedBefore:
    'El mensaje ya había llegado con el texto anterior. Envíalo otra vez si quieres que llegue también este.',
  expired: 'Pasaron 7 días sin poder enviarlo y ya no se envía solo.',
  expiredLate: 'Un mensaje tuyo no se pudo enviar en 7 días. Sigue guardado en Contacto.',

  sendAgain: 'Enviar de nuevo',
  sendByEmail: 'Enviar por correo',
  copy: 'Copiar texto',
  copied: 'Texto copiado',
  discard: 'Descartar',
  confirmDiscard: '¿Descartar este mensaje? No se podrá recuperar.',
  confirmDiscardTried: '¿Descartar este mensaje? Puede que ya haya llegado.',
  notDiscarded: 'El mensaje no se descartó: este navegador no pudo borrarlo.',
  replace: 'Reemplazar',
  confirmReplace: '¿Reemplazar lo que hay escrito en el formulario?',
} as const
