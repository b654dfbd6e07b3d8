/** What the server's start and its commands write for the person in front of the terminal. */
export const cliTexts = {
  listening: 'Tu portafolio está en {address}',
  publicAddress: 'Sus enlaces llevan a {publicUrl}',
  portTaken:
    'El puerto {port} ya está en uso. Cierra el otro programa o elige otro puerto con la variable PORT.',
  portForbidden:
    'El puerto {port} es solo para el administrador de esta máquina ({message}). Elige uno desde 1024 con la variable PORT.',
  noHost:
    'En {host} no se puede escuchar ({message}). Pon en la variable HOST una dirección de esta máquina, como 0.0.0.0 o 127.0.0.1.',
  setup: 'Abre este enlace para crear tu acceso. Vale {minutes} minutos y una sola vez:',
  reset:
    'Abre este enlace para elegir una contraseña nueva para {name}. Vale {minutes} minutos y una sola vez:',
  hasOwner: 'Este portafolio ya tiene su acceso: {name}.',
  resetHint: 'Si olvidaste la contraseña, ejecuta «tintero owner reset-password».',
  noOwner: 'Este portafolio todavía no tiene acceso. Ejecuta «tintero owner» para crearlo.',
  noFirebaseAccount:
    'Este portafolio usa Firebase, pero falta su cuenta de servicio: sin la variable FIREBASE_SERVICE_ACCOUNT_FILE no puede enviar avisos ni subir imágenes.',
  readOnly:
    'En la carpeta de datos no se puede escribir ({message}). Dale al usuario que ejecuta Tintero permiso sobre ella y sobre lo que contiene, o elige otra con la variable DATA_DIR.',
  notForRoot:
    'Lo que hay en {folder} es de otro usuario (uid {uid}), que no podría leer lo que root dejara ahí. Ejecuta Tintero como ese usuario; no se cambió nada.',
  diskFull:
    'El disco de la carpeta de datos está lleno ({message}). Libera espacio y arranca otra vez: no se perdió nada.',
  notAFolder:
    'Donde debe haber una carpeta hay un archivo ({message}). Quítalo de ahí o elige otra carpeta con DATA_DIR o BACKUP_DIR.',
  served:
    'Otro proceso ya sirve {file}. Detenlo antes; con varios procesos el sitio necesita PostgreSQL (DATABASE_URL).',
  locked:
    'Otro proceso tiene ocupada la base de datos ({message}). Espera un momento y vuelve a probar.',
  vanished:
    'Falta la base de datos {file}, que ya estuvo en uso. Restaura una copia: no se cambió nada. Para empezar de nuevo, elimina también {mark}.',
  emptied:
    'La base de datos {file}, que ya estuvo en uso, está vacía. Restaura una copia: no se cambió nada. Para empezar de nuevo, elimina también {mark}.',
  damaged:
    'La base de datos {file} está dañada ({message}). Restaura una copia: no se cambió nada.',
  unusable:
    'La base de datos no se puede usar ({message}). Comprueba su disco y sus permisos, o restaura una copia.',
  later:
    'Una versión posterior de Tintero cambió esta base de datos ({names}). Arranca esa versión o restaura la copia que se hizo antes de actualizar: no se cambió nada.',
  lost: 'Falta contenido en {file}: tenía {noted}, y tiene {found}. Lo más probable es que se perdiera {file}-wal, o que no se copiara con la carpeta: devuélvelo a su lugar o restaura una copia; no se cambió nada. Para seguir con lo que hay, elimina {mark}.',
  content: '{entries} entradas y {messages} mensajes tras {changes} cambios',
  noKeys:
    'En {place} no hay un par de claves VAPID. Restaura una copia, o elimina lo que hay: cada dispositivo tendrá entonces que activar los avisos otra vez.',
  inDatabase: 'la base de datos',
  noOwnerMade: 'El acceso no se puede crear. Corrige estas variables:\n{faults}',
  taken:
    'Otro programa usa en esta base de datos nombres que necesita el sitio ({names}). Indica en DATABASE_URL una base de datos propia; no se cambió nada.',
  takenSections:
    'Otro programa usa en la base de datos del sitio los nombres de secciones nuevas ({names}). Da otra clave a cada una, o lleva el sitio con una copia a una base de datos propia; no se cambió nada.',
  noPostgres:
    'PostgreSQL no responde ({message}). Comprueba que está en marcha y que DATABASE_URL lleva a él.',
  postgresRefuses:
    'PostgreSQL no acepta la conexión ({message}). Comprueba el usuario, la contraseña y la base de datos de DATABASE_URL.',
  noPostgresAddress:
    'DATABASE_URL no es una dirección como postgres://usuario:contraseña@servidor/base. Los signos raros de la contraseña van codificados, como %40 por @.',
  noPictures:
    'Faltan {missing} de {all} imágenes en {folder}. Si varios procesos sirven este sitio, todos necesitan esa misma carpeta; si no, restaura una copia.',
  noStorage:
    'El almacén de las imágenes, {folder}, no responde como debe ({message}). Comprueba la dirección y las claves; mientras tanto, el sitio se sirve sin imágenes.',
  noBackups: '{trouble} Mientras tanto no se hacen copias del sitio.',
  noSite: 'Todavía no hay sitio: arráncalo una vez con «tintero start».',
  otherVersion:
    'La base de datos es de otra versión de Tintero. Arranca el sitio con esta y vuelve a probar.',
  exported: 'Copia del sitio en {folder}: {n} archivos, listos para publicar.',
  exportLacks:
    'Faltan {n} imágenes, que el sitio tampoco tiene: {names}. Restaura una copia de seguridad.',
  exportUnread:
    'Imágenes que faltan porque no se pudieron leer ({message}): {names}. Vuelve a probar; si sigue igual, comprueba sus permisos y su disco o restaura una copia de seguridad.',
  exportLacksCv:
    'Falta el CV en PDF, que no se pudo dibujar ({message}). Vuelve a probar: cada copia lo intenta de nuevo.',
  folderTaken:
    'En {folder} hay archivos que no son de una copia. Elige una carpeta vacía: no se cambió nada.',
  noAddress:
    '«{address}» no es una dirección como https://lucia.example o https://lucia.example/cv.',
  noContact:
    '«{how}» no sirve como contacto. Elige «server», «none», «mail» si tu sitio tiene correo, o una dirección https que reciba formularios.',
  imported: 'Traído de {name}: nuevas {added}, completadas {combined}, sin cambios {left}.',
  importUnfit:
    'No caben en su lugar y quedan guardadas como venían, para tu resume.json: {names}. En Ajustes, «Traer mis datos» las deja como borradores.',
  importFull:
    'El sitio ya guarda de otros archivos todo lo que puede guardar: no se cambió nada. «Traer mis datos», en Ajustes, puede deshacer los que trajiste allí.',
  importZip:
    '{name} es un ZIP. El de LinkedIn se trae desde Ajustes; una copia de seguridad se recupera con «tintero restore».',
  noFile: '{file} no se puede leer ({message}). Comprueba su nombre y sus permisos.',
  notUsable:
    '{file} no sirve para recuperar el sitio ({message}). Elige otra copia: no se cambió nada.',
  notWritten:
    'En {folder} no se puede escribir la copia del sitio ({message}). Elige otra carpeta.',
  /** What the system says of a file, by its code. */
  system: {
    EACCES: 'no hay permiso',
    EIO: 'el disco falló',
    EISDIR: 'es una carpeta',
    ENOENT: 'no existe',
    ENOSPC: 'el disco está lleno',
    ENOTDIR: 'un archivo ocupa el lugar de una carpeta',
    EROFS: 'el disco es de solo lectura',
  },
  lacks: {
    restore: 'Falta decir qué copia: tintero restore <archivo.zip>',
    export: 'Falta decir en qué carpeta: tintero export <carpeta>',
    import: 'Falta decir qué archivo: tintero import <resume.json>',
  },
  unknown: 'Tintero no conoce «{words}».',
  oldNode:
    'Tintero necesita Node 24.15 o posterior, y este es {version}. Instálalo desde tu sistema o usa la imagen de contenedor.',
  incomplete:
    'A esta instalación le faltan partes ({message}). Instala Tintero otra vez en esta máquina, sin «--omit=optional»; en un clon, ejecuta «npm ci» y «npm run build».',
  help: `Tintero: tu portafolio, editado en las mismas páginas que leen tus visitantes.

Uso: tintero [orden]

  start                   Arranca el sitio; es lo que hace sin orden.
  owner                   Da un enlace para crear tu acceso.
  owner reset-password    Da un enlace para elegir otra contraseña.
  backup                  Hace una copia del sitio y la comprueba.
  restore <archivo.zip>   Vuelve a una copia, con el sitio detenido.
  export <carpeta>        Escribe el sitio como archivos que no necesitan servidor.
    --address <dirección>   Dónde se publicarán; por omisión, la del sitio.
    --contact <cómo>        Cómo escribirte: mail, server (tu sitio), none o una dirección
                            https que reciba formularios; por omisión, tu correo.
  import <resume.json>    Añade al sitio lo que dice un CV en formato JSON Resume.
  doctor                  Revisa carpeta, base de datos, claves, avisos, copias y direcciones.
  help                    Muestra esta ayuda.
  --version               Dice qué versión es.

Se configura con variables de entorno, como PORT, DATA_DIR o PUBLIC_URL: README.md las explica.
Termina con 0 si todo fue bien, con 1 si algo falló y con 2 si la orden no existe.`,
} as const
