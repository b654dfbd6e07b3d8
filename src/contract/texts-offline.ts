/** Words about the connection, new versions, installing, and what the device keeps. */
export const offlineTexts = {
  offline: 'Sin conexión. Estás viendo la última versión guardada.',
  offlineOwner: 'Sin conexión. Tus cambios se guardan aquí y se envían solos al volver.',
  back: 'De nuevo en línea.',
  queued: 'Guardado en este dispositivo. Se publicará al volver la conexión.',
  queuedForLogin: 'Guardado en este dispositivo. Se publicará cuando inicies sesión.',
  seeChanges: 'Ver cambios',

  updateReady: 'Hay una versión nueva.',
  updateApply: 'Actualizar',
  updateLater: 'Se actualizará en cuanto se guarden los cambios.',

  nothingKept: 'Este navegador no guarda nada de este sitio: sin conexión no podrás verlo.',

  installTitle: 'Instala este portafolio',
  installHint: 'Ábrelo desde tu pantalla de inicio y consúltalo sin conexión.',
  installLater: 'Ahora no',
  install: 'Instalar',
  installIosTitle: 'Instálalo en tu iPhone o iPad',
  /** The two words in braces are shown bold, each behind its sign. */
  installIosHint: 'Toca {share} y luego {add}.',
  installIosShare: 'Compartir',
  installIosAdd: 'Agregar a inicio',
  installIosDone: 'Entendido',
} as const

/** Words of the installed application's description, where pages have no say. */
export const manifestTexts = {
  screenshotNarrow: 'El portafolio en un teléfono',
  screenshotWide: 'El portafolio en una computadora',
} as const
