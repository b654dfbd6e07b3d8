/** Words of the list of changes that wait for the server; they travel with the owner's code. */
export const queueTexts = {
  title: 'Cambios pendientes',
  empty: 'Todo sincronizado',
  emptyHint: 'Lo que edites sin conexión espera aquí hasta publicarse.',
  /** `{n}` is the number beside the word. */
  chip: { ok: 'Sincronizado', pending: 'Pendientes', failed: 'Con errores' },
  pendingOne: '1 cambio pendiente de sincronizar',
  pendingMany: '{n} cambios pendientes de sincronizar',
  failedOne: '1 cambio con error',
  failedMany: '{n} cambios con errores',

  create: 'Crear {noun} «{name}»',
  update: 'Modificar {noun} «{name}»',
  remove: 'Eliminar {noun} «{name}»',
  header: 'Modificar encabezado',
  about: 'Modificar descripción y foto',
  profile: 'Modificar perfil',
  setting: 'Modificar ajuste «{name}»',
  settings: 'Modificar ajustes',

  keptHeld: 'Guardado en este dispositivo. Espera a un cambio anterior que no se pudo guardar.',
  keptSilent: 'Guardado en este dispositivo. El servidor no responde: se reintenta solo.',

  unkept:
    'Este dispositivo no guarda nada. El cambio no se envió y se perderá si cierras la página.',

  waiting: 'En espera',
  waitingTurn: 'En espera: se envía después del anterior.',
  waitingHeld: 'En espera: depende de un cambio que no se pudo guardar.',
  waitingAnswer: 'En espera: el servidor todavía no lo confirmó.',
  sendingPicture: 'Enviando la imagen ({n} %)…',
  sending: 'Enviando…',
  done: 'Sincronizado.',
  refused: 'El servidor no lo aceptó: {reason}',
  conflict: 'Cambió en el servidor desde otro dispositivo. Elige qué versión conservar.',
  conflictRemoval: 'Cambió en el servidor desde otro dispositivo. ¿Eliminarlo igual?',

  backOne: 'De nuevo en línea. Enviando 1 cambio…',
  backMany: 'De nuevo en línea. Enviando {n} cambios…',

  delivered: 'Se publicaron {n} cambios.',
  settingDelivered: 'Ajuste «{name}» guardado.',
  settingsDelivered: 'Ajustes guardados.',

  retryAll: 'Reintentar todo',
  discard: 'Descartar',
  discardChange: 'Descartar: {change}',
  confirmDiscard: '¿Descartar este cambio? No se podrá recuperar.',
  confirmDiscardSent: '¿Descartar este cambio? Puede que el servidor ya lo haya recibido.',
  correct: 'Corregir',
  removeAnyway: 'Eliminar igual',
  keepTheirs: 'No eliminar',
  combine: 'Editar y combinar',
  sendCombined: 'Guardar y enviar',

  now: 'Ahora mismo',
  pictureLost: 'La imagen de este cambio ya no está en el dispositivo. Elige otra.',
  retries: 'Se reintenta solo al volver la conexión',
  nextTry: 'Se reintenta solo al volver la conexión · próximo intento en {clock}',
  retriesOnline: 'Se reintenta solo',
  nextTryOnline: 'Se reintenta solo · próximo intento en {clock}',
  expired: 'Tu sesión venció. Inicia sesión para enviar los cambios.',

  pending: 'Pendiente de sincronizar',
  failed: 'No se pudo guardar',
} as const
