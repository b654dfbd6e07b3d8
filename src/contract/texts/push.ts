/** What the server tells the owner of notifications and of the devices they go to. */
export const pushTexts = {
  deviceAdded: 'Este dispositivo recibirá avisos.',
  deviceRemoved: 'Dispositivo quitado con éxito.',
  namelessDevice: 'Dispositivo sin nombre',
  failedRetried: 'El aviso se envía de nuevo.',
  failedRemoved: 'Aviso descartado.',

  tested: {
    sent: 'Prueba enviada. Debería aparecer en unos segundos.',
    gone: 'Este dispositivo ya no recibe avisos y se quitó de la lista. Actívalos otra vez en él.',
    retry: 'La prueba no salió: {why} Prueba otra vez en un momento.',
    rejected: 'La prueba no salió: {why}',
  },

  unreachable: 'El servicio de avisos no responde.',
  busy: 'El servicio de avisos pide esperar.',
  failing: 'El servicio de avisos tiene problemas ({status}).',
  refused: 'El servicio de avisos no lo aceptó ({status}).',
  otherKey:
    'El servicio de avisos no aceptó la clave del servidor ({status}). Activa otra vez los avisos en el dispositivo.',
  privateAddress: 'La dirección del dispositivo no está en internet.',
  unusable: 'Los datos del dispositivo no sirven. Activa otra vez los avisos en él.',
  wrongClock:
    'El reloj del servidor no va bien, y el servicio de avisos no acepta lo que firma. Ponlo en hora.',
  badAccount: 'Google no aceptó la cuenta de servicio del servidor.',
  otherProject:
    'La cuenta de servicio del servidor es del proyecto «{account}» de Firebase, y estas páginas son del proyecto «{pages}». Pon la de «{pages}» en FIREBASE_SERVICE_ACCOUNT_FILE.',
  noSender: 'El servidor no tiene cómo enviar a este dispositivo.',
} as const
