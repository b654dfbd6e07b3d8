export const offlineTexts = {
  offline: 'Sin conexión.',
  savedCopy: 'Mostrando datos guardados',
  savedAgo: ' Guardado {ago} ·',
  offlineVisitor: 'Se actualiza al volver la conexión.',
  offlineOwner: 'Tus cambios se guardan aquí y se envían solos al volver.',
  back: 'De nuevo en línea.',
  queued: 'Guardado en este dispositivo. Se publicará al volver la conexión.',
  queuedForLogin: 'Guardado en este dispositivo. Se publicará cuando inicies sesión.',
  seeChanges: 'Ver cambios',
  partMissing: 'Falta una parte de esta página.',

  updateReady: 'Hay una versión nueva.',
  updateApply: 'Actualizar',
  updateLater: 'Se actualizará en cuanto se guarden los cambios.',

  nothingKept:
    'Este navegador no guarda datos: puedes leer y escribirme, pero no habrá copia sin conexión.',
  offlineUnkept:
    'Sin conexión, y este navegador no guarda datos: lo que escribas se pierde si cierras la página.',
  littleRoom:
    'Queda poco espacio en este dispositivo: publica tus cambios antes de añadir imágenes.',

  installTitle: 'Instala este portafolio',
  installHint: 'Ábrelo desde tu pantalla de inicio y consúltalo sin conexión.',
  installApp: 'Instalar la aplicación',
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
