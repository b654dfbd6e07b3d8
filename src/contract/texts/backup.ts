/** What the server says of backups: to the owner, to her devices and in the terminal. */
export const backupTexts = {
  made: 'Copia hecha y comprobada.',
  madeLackingOne:
    'Copia hecha, pero en el servidor falta una imagen o está dañada. Las copias completas de antes se conservan.',
  madeLackingMany:
    'Copia hecha, pero en el servidor faltan {n} imágenes o están dañadas. Las copias completas de antes se conservan.',
  removed: 'Copia eliminada.',
  unread: 'El servidor no puede leer la carpeta de copias. Su registro dice por qué.',
  unsound:
    'La base de datos {file} está dañada ({message}): no se hizo la copia ni se cambió nada. Si el daño es de un índice, quizá lo arregle «sqlite3 {file} REINDEX», con el sitio detenido; si no, restaura una copia.',
  alarms: {
    failed: {
      title: 'Esta noche no hubo copia',
      body: 'La copia de tu sitio no se pudo hacer. Abre Ajustes para probar ahora.',
    },
    damaged: {
      title: 'Una copia está dañada',
      body: 'El disco del servidor cambió una copia de tu sitio. Abre Ajustes para ver cuál.',
    },
    incomplete: {
      title: 'A la copia de tu sitio le faltan imágenes',
      body: 'En el servidor faltan o están dañadas. Las copias completas de antes se conservan.',
    },
  },
  written: 'Copia hecha y comprobada: {file}',
  writtenIncomplete:
    'Copia hecha: {file}. Imágenes que faltan o están dañadas en el servidor: {n}.',
  writtenLoose:
    'Filas sueltas en la base de datos, que el sitio no muestra: {n}. Para quitarlas, detén el sitio y ejecuta «tintero restore {file}», que las deja fuera.',
  restored:
    'El sitio volvió a como estaba el {date}, con {entries} entradas. Las sesiones terminaron: inicia sesión otra vez.',
  restoredIncomplete: 'Imágenes que a la copia le faltaban o ya estaban dañadas: {n}.',
  before: 'Lo que había antes está en {before}; sus imágenes se conservan treinta días.',
  later:
    'Esa copia la hizo una versión posterior de Tintero ({migration}). Restáurala con esa versión: no se cambió nada.',
  served: 'El sitio está en marcha. Detén todos sus procesos y vuelve a probar.',
  restoring: 'Otra restauración está en marcha en esta base de datos. Espera a que acabe.',
  brokenOff:
    'Una restauración se interrumpió y dejó el esquema {schema}; el sitio sigue como estaba. Repítela con «tintero restore», que lo quita, o elimínalo con «drop schema {schema} cascade».',
  brokenOffFile:
    'Una restauración se interrumpió, no llegó a hacerse y dejó {file}, que el próximo arranque quita. Repítela con «tintero restore».',
  brokenOffRemoved:
    'Una restauración se interrumpió y no llegó a hacerse. Lo que dejó, {file}, ya se quitó; repítela con «tintero restore».',
  brokenOffAway:
    'Una restauración se interrumpió y no llegó a hacerse. El próximo arranque devuelve a su lugar la base de datos de antes, que está en {before}; después, repite «tintero restore».',
  brokenOffDone:
    'Una restauración se interrumpió cuando ya estaba hecha: el sitio es el de la copia. Lo que había antes está en {before}.',
  brokenOffStays:
    'Una restauración se interrumpió y no llegó a hacerse. Lo que dejó, {file}, no se pudo quitar ({message}): elimínalo y repítela con «tintero restore».',
  lostMeanwhile:
    'PostgreSQL dejó de responder ({message}): la restauración no llegó a hacerse y el sitio sigue como estaba. Repítela con «tintero restore».',
  unknownEnd:
    'PostgreSQL dejó de responder cuando la restauración acababa ({message}). Cuando responda, «tintero doctor» dice si llegó a hacerse.',
  /** What is wrong with a file that should be one. */
  faults: {
    noBackup: 'no es una copia entera de Tintero',
    missing: 'falta {name}',
    changed: '{name} cambió o se cortó',
    added: 'se añadió {name}',
    doubled: '{name} está dos veces',
    foreign: '{name} no es parte de ninguna copia',
    rows: '{table} no tiene {rows} filas',
    unfit: 'las filas de {name} no caben en el sitio',
  },
  pooled:
    'DATABASE_URL lleva a un intermediario que no transmite las opciones de la conexión. Restaura con la dirección del propio PostgreSQL; no se cambió nada.',
  taken:
    'Otro programa usa en esta base de datos nombres que necesita el sitio ({names}). Restaura en una base de datos propia; la del otro programa sigue igual.',
} as const
