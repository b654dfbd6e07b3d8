/** What `tintero doctor` says; `{…}` is filled in. */
export const doctorTexts = {
  node: 'Node {version}',
  config: 'La configuración no se puede usar: {faults}',

  noFolder: 'La carpeta de datos {folder} todavía no existe: se crea al arrancar.',
  notAFolder: 'La carpeta de datos {folder} no es una carpeta.',
  notWritable:
    'En {folder} no se puede escribir. Dale permiso al usuario que ejecuta Tintero o elige otra carpeta con DATA_DIR.',
  folder: 'La carpeta de datos {folder} se puede escribir; quedan {free} MB libres.',
  littleRoom: 'En el disco de {folder} solo quedan {free} MB. Libera espacio.',
  open: 'Otros usuarios de esta máquina pueden leer {folder}. El próximo arranque la cierra.',

  noSite: 'Todavía no hay base de datos: se crea al arrancar.',
  database: 'La base de datos ({engine}) está sana.',
  damaged: 'La base de datos no se puede usar ({message}). Restaura una copia.',
  unreachable: 'La base de datos no responde ({message}). Comprueba DATABASE_URL.',
  orphans: 'La base de datos tiene {n} filas sueltas. Restaura una copia anterior.',
  later: 'Una versión posterior de Tintero cambió la base de datos ({names}). Actualiza Tintero.',
  earlier:
    'La base de datos es de una versión anterior: se actualiza al arrancar, con una copia antes.',
  owner: 'El sitio tiene su acceso: {name}.',
  noOwner: 'El sitio todavía no tiene acceso. Ejecuta «tintero owner» para crearlo.',
  pictures: 'Están las {all} imágenes.',
  noPictures:
    'Faltan {missing} de {all} imágenes en {folder}. Restaura una copia o comparte la carpeta.',

  keys: 'Las claves de los avisos están en {place}.',
  keysPlaces: { environment: 'las variables VAPID', database: 'la base de datos' },
  keysLater: 'Las claves de los avisos se crean al arrancar.',
  keysBroken: 'Las claves de los avisos no se pueden usar: {message}',
  devices: 'Avisos en {n} dispositivos.',
  noDevices: 'Ningún dispositivo recibe avisos: actívalos en Ajustes.',
  troubled: '{n} dispositivos no reciben avisos. Ajustes dice por qué.',
  undelivered: '{n} avisos no se pudieron entregar. Ajustes los muestra.',

  backups: 'Hay {n} copias; la última es del {date}.',
  noBackups: 'Todavía no hay ninguna copia. Ejecuta «tintero backup».',
  oldBackup: 'La última copia es del {date}: las de cada noche no se están haciendo.',
  aheadBackup:
    'La copia {name} lleva una fecha que aún no ha llegado: el reloj iba adelantado. Elimínala si ya no la necesitas.',
  damagedBackup: 'La copia {name} está dañada. Haz otra.',

  running: 'El sitio responde en {address}.',
  notRunning: 'El sitio no está en marcha en el puerto {port}.',
  otherProgram: 'En el puerto {port} responde otro programa. Ciérralo o elige otro con PORT.',
  publicAnswers: 'Los enlaces llevan a {address}, y ahí responde este sitio.',
  publicSilent: 'Los enlaces llevan a {address}, pero ahí no responde este sitio ({message}).',
  onlyHere:
    'Los enlaces llevan a {address}: desde fuera no sirven. Pon PUBLIC_URL cuando el sitio esté publicado.',
  noHttps:
    '{address} no es https: ni avisos, ni lectura sin conexión, ni instalación funcionan ahí.',
  proxy:
    'El sitio se publica por https, que pone un proxy, y TRUST_PROXY es 0: los límites cuentan a todos los visitantes como uno.',

  well: 'Todo está bien.',
  faults: 'Problemas: {n}.',
} as const
