/** What the server says of backups: to the owner, to her devices and in the terminal. */
export const backupTexts = {
  made: 'Copia hecha y comprobada.',
  alarms: {
    failed: {
      title: 'Esta noche no hubo copia',
      body: 'La copia de tu sitio no se pudo hacer. Abre Ajustes para probar ahora.',
    },
    damaged: {
      title: 'Una copia está dañada',
      body: 'El disco del servidor cambió una copia de tu sitio. Abre Ajustes para ver cuál.',
    },
  },
  written: 'Copia hecha y comprobada: {file}',
  restored:
    'El sitio volvió a como estaba el {date}, con {entries} entradas. Las sesiones terminaron: inicia sesión otra vez.',
  before: 'Lo que había antes está en {before}.',
} as const
