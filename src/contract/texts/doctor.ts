/** What `tintero doctor` says; `{…}` is filled in. */
export const doctorTexts = {
  node: 'Node {version}',

  noFolder: 'La carpeta de datos {folder} todavía no existe: se crea al arrancar.',
  notAFolder: '{folder} no es una carpeta. Quita de ahí ese archivo o elige otra con {variable}.',
  notWritable:
    'En {folder} no se puede escribir. Dale permiso al usuario que ejecuta Tintero o elige otra carpeta con {variable}.',
  notChangeable:
    '{file} no se puede leer y cambiar. Dale ese permiso al usuario que ejecuta Tintero.',
  folder: 'La carpeta de datos {folder} se puede escribir; quedan {free} MB libres.',
  littleRoom: 'En el disco de {folder} solo quedan {free} MB. Libera espacio.',
  open: 'Otros usuarios de esta máquina pueden leer {folder}. El próximo arranque la cierra.',

  noSite: 'Todavía no hay base de datos: se crea al arrancar.',
  database: 'La base de datos ({engine}) está sana.',
  orphans:
    'Filas sueltas en la base de datos, que el sitio no muestra: {n}. Para quitarlas, ejecuta «tintero backup» y, con el sitio detenido, «tintero restore» con esa copia, que las deja fuera.',
  later: 'Una versión posterior de Tintero cambió la base de datos ({names}). Actualiza Tintero.',
  earlier:
    'La base de datos es de una versión anterior: se actualiza al arrancar, con una copia antes.',
  restoring: 'Se está restaurando una copia. Lo que se dice de la base de datos es de la de antes.',
  owner: 'El sitio tiene su acceso: {name}.',
  noOwner: 'El sitio todavía no tiene acceso. Ejecuta «tintero owner» para crearlo.',
  pictures: 'No falta ninguna imagen (guardadas: {all}).',
  noPictures:
    'Imágenes que faltan en {folder}: {missing} de {all}. Restaura una copia o comparte la carpeta.',

  keys: 'Las claves de los avisos están en {place}.',
  keysPlaces: { environment: 'las variables VAPID', database: 'la base de datos' },
  keysLater: 'Las claves de los avisos se crean al arrancar.',
  keysBroken: 'Las claves de los avisos no se pueden usar: {message}',
  devices: 'Dispositivos que reciben avisos: {n}.',
  noDevices: 'Ningún dispositivo recibe avisos: actívalos en Ajustes.',
  troubled: 'Dispositivos que no reciben avisos: {n}. Ajustes dice por qué.',
  undelivered: 'Avisos que no se pudieron entregar: {n}. Ajustes los muestra.',

  backups: 'Copias guardadas: {n}; la última es del {date}.',
  noBackups: 'Todavía no hay ninguna copia. Ejecuta «tintero backup».',
  oldBackup: 'La última copia es del {date}: las de cada noche no se están haciendo.',
  aheadBackup:
    'La copia {name} lleva una fecha que aún no ha llegado: el reloj iba adelantado. Elimínala si ya no la necesitas.',
  damagedBackup: 'La copia {name} está dañada. Haz otra.',

  running: 'El sitio responde en {address}.',
  notRunning: 'El sitio no está en marcha en el puerto {port}.',
  otherProgram: 'En el puerto {port} responde otro programa. Ciérralo o elige otro con PORT.',
  noAnswer: 'En {address} no se puede preguntar por el sitio ({message}). Comprueba HOST y PORT.',
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
