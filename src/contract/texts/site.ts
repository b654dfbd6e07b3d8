/** Words of the pages everybody sees. Words of one section live in its definition, those of a form beside its fields. */
export const texts = {
  home: 'Inicio',
  about: 'Sobre mí',
  contact: 'Contacto',
  login: 'Acceso',
  setup: 'Configura tu portafolio',
  skip: 'Saltar al contenido',
  navigation: 'Principal',
  more: 'Más',
  close: 'Cerrar',
  install: 'Instalar la aplicación',
  theme: 'Tema',
  themeDark: 'Oscuro',
  themeLight: 'Claro',
  toLight: 'Cambiar a tema claro',
  toDark: 'Cambiar a tema oscuro',
  settings: 'Ajustes',
  inbox: 'Bandeja',
  logout: 'LogOut',
  logoutHint: 'Cerrar sesión',
  notices: 'Avisos (F8)',
  loading: 'Cargando...',
  retry: 'Reintentar',
  draftBack: 'Borrador recuperado',

  hello: 'Hola, soy',
  seeProjects: 'Ver proyectos',
  latest: 'Lo más reciente',
  portraitOf: 'Retrato de {name}',

  iAm: 'Soy {title}',
  factName: 'Nombre:',
  factLocation: 'Ubicación:',
  factAge: 'Edad:',
  factAvailability: 'Disponibilidad:',
  saveCv: 'Guardar CV en PDF',
  downloadCv: 'Descargar CV',
  cv: 'CV',
  card: 'Tarjeta',
  import: 'Traer mis datos',

  opensElsewhere: '{label} de {name} (se abre en otra pestaña)',
  copyEmail: 'Copiar correo',
  copied: 'Correo copiado!',
  linkedin: 'LinkedIn',
  github: 'GitHub',

  pages: 'Páginas',
  titleOfPage: '{title}, página {page}',
  previous: 'Anterior',
  next: 'Siguiente',

  loadFailed: 'No se pudo cargar',
  loadFailedHint: 'No hay una copia guardada de esta sección en el dispositivo.',
  savedCopy: 'Mostrando datos guardados',

  notFound: 'Esta página no existe',
  notFoundHint: 'Puede que el enlace esté mal escrito o que el contenido se haya eliminado.',
  backHome: 'Volver al inicio',

  broken: 'Algo salió mal en esta página',
  brokenHint: 'Vuelve a cargarla o regresa al inicio.',
  reload: 'Volver a cargar',
} as const

/** What a form says under a field that cannot be sent. */
export const fieldErrors = {
  required: 'Completa este campo.',
  url: 'Escribe un enlace válido, por ejemplo https://ejemplo.com',
  email: 'Escribe un correo válido.',
  tooLong: 'Usa como máximo {n} caracteres.',
  unreadable: 'Este texto tiene caracteres que no se pueden guardar.',
} as const
