import { outboxTexts } from './outbox.ts'

export const queueTexts = {
  ...outboxTexts,
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
  restore: 'Restaurar {noun} «{name}»',
  erase: 'Eliminar para siempre {noun} «{name}»',
  header: 'Modificar encabezado',
  about: 'Modificar descripción y foto',
  profile: 'Modificar perfil',
  setting: 'Modificar ajuste «{name}»',
  settings: 'Modificar ajustes',
  answered: 'Marcar un mensaje como respondido',
  unanswered: 'Marcar un mensaje como no respondido',

  keptBlocked: 'Guardado en este dispositivo. Espera a un cambio anterior que no se pudo guardar.',
  keptSilent: 'Guardado en este dispositivo. El servidor no responde: se reintenta solo.',
  keptClosed:
    'Guardado en este dispositivo. El sitio está en solo lectura: se publica cuando apagues ese modo en Ajustes.',

  unkept:
    'Este dispositivo no guarda nada. El cambio no se envió y se perderá si cierras la página.',

  waiting: 'En espera',
  waitingTurn: 'En espera: se envía después del anterior.',
  waitingBlocked: 'En espera: depende de un cambio que no se pudo guardar.',
  waitingAnswer: 'En espera: el servidor todavía no lo confirmó.',
  waitingClosed: 'En espera: el sitio está en solo lectura.',
  sendingPicture: 'Enviando la imagen ({n} %)…',
  sending: 'Enviando…',
  done: 'Sincronizado.',
  refused: 'El servidor no lo aceptó: {reason}',
  refusedGone:
    'El elemento se eliminó mientras tanto. Si lo restauras desde la papelera, este cambio se envía.',
  conflict: 'Cambió en otro dispositivo mientras la editabas aquí. No se envía hasta que elijas.',
  mineAt: 'Tu cambio: {when}',
  otherAt: 'El otro: {when}',
  otherAtOn: 'El otro: {when}, en «{device}»',
  otherAtHere: 'El otro: {when}, en este dispositivo',
  conflictRemoval: 'Cambió en el servidor desde otro dispositivo. ¿Eliminarlo igual?',

  bandOne: 'Hay 1 cambio en este dispositivo: inicia sesión para publicarlo.',
  bandMany: 'Hay {n} cambios en este dispositivo: inicia sesión para publicarlos.',
  loginOne: 'Inicia sesión para publicar el cambio de este dispositivo.',
  loginMany: 'Inicia sesión para publicar los {n} cambios de este dispositivo.',
  closed: 'El sitio está en solo lectura. Tus cambios esperan aquí.',
  othersOne: 'Hay 1 cambio de {name} en este dispositivo. No se envía con tu cuenta.',
  othersMany: 'Hay {n} cambios de {name} en este dispositivo. No se envían con tu cuenta.',
  othersTitle: 'Cambios de {name}',
  discardOthersOne: '¿Descartar el cambio de {name}?',
  discardOthersMany: '¿Descartar los {n} cambios de {name}?',
  discardOthersHint:
    'Se borran de este dispositivo y no se podrán recuperar. Lo publicado no cambia.',
  keep: 'Conservar',

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
  notDiscarded: 'No se descartó: este dispositivo no pudo borrar lo que tenía guardado.',
  sentMeanwhile: 'No se descartó: mientras tanto empezó a enviarse.',
  correct: 'Corregir',
  readText: 'Ver el texto',
  copyText: 'Copiar el texto',
  textCopied: 'El texto está copiado.',
  removeAnyway: 'Eliminar igual',
  keepTheirs: 'No eliminar',
  combine: 'Editar y combinar',
  sendCombined: 'Guardar y enviar',

  thrownAway: 'El navegador no lo conservó y no consta que se enviara. Reinténtalo o descártalo.',
  rescuedOne:
    'El navegador borró lo que guardaba de este sitio. 1 cambio que quizá no se envió te espera.',
  rescuedMany:
    'El navegador borró lo que guardaba de este sitio. {n} cambios que quizá no se enviaron te esperan.',

  oneWaitsForYou: '1 cambio te espera a ti.',
  manyWaitForYou: '{n} cambios te esperan a ti.',
  othersPublished: 'Los demás están publicados; no hay nada que reintentar.',
  othersWaiting: 'Los que siguen dependen de lo que elijas; no hay nada que reintentar.',
  refusedWaits: 'Nada se reintenta solo: corrige, reintenta o descarta.',
  mayGo:
    'Este navegador puede borrar lo guardado si le falta espacio: no dejes cambios esperando mucho tiempo.',
  longWait:
    'A los {n} días de espera, si el servidor ya lo había recibido, puede que tengas que elegir qué versión queda.',
  retries: 'Se reintenta solo al volver la conexión',
  nextTry: 'Se reintenta solo al volver la conexión · próximo intento en {clock}',
  retriesOnline: 'Se reintenta solo',
  nextTryOnline: 'Se reintenta solo · próximo intento en {clock}',
  expired: 'Tu sesión venció. Inicia sesión para enviar los cambios.',

  pending: 'Pendiente de sincronizar',
  failed: 'No se pudo guardar',
} as const
