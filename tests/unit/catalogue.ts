/*
 * The product's own words as they were given, letter by letter, oddities included. The contract is compared with this
 * copy: a text changes only when somebody changes it here too, on purpose.
 */

export const navigation = [
  ['/', 'Inicio'],
  ['/about', 'Sobre mí'],
  ['/projects', 'Proyectos'],
  ['/experiences', 'Experiencia'],
  ['/educations', 'Educación'],
  ['/skills', 'Habilidades'],
  ['/contact', 'Contacto'],
]

export const ownerRoutes = [
  '/addExp',
  '/editExp/$id',
  '/addEdu',
  '/editEdu/$id',
  '/addHab',
  '/editHab/$id',
  '/editPer/$id',
  '/editProf/$id',
  '/addProj',
  '/editProj/$id',
]

export const screens = {
  loading: 'Cargando...',
  logout: 'LogOut',
  copied: 'Correo copiado!',
  close: 'Cerrar',
  loginTitle: 'Bienvenido',
  loginLead: 'Ingrese las credenciales de acceso',
  loginUser: 'Usuario',
  loginPassword: 'Contraseña',
  loginSubmit: 'Iniciar sesión',
  aboutTitle: 'Soy {title}',
  aboutName: 'Nombre:',
  availability: 'Abierto a ofertas.',
  contactTitle: '¡Contactame!',
  contactSubmit: 'Enviar mensaje',
  confirm: 'Confirmar',
  cancel: 'Cancelar',
  update: 'Actualizar',
}

/** Labels of the new-project form, in its order. */
export const projectForm = [
  'Nombre del proyecto:',
  'Descripción:',
  'Duración (mes o meses y año):',
  'Link repositorio:',
  'Link demostración:',
  'Imagen o logotipo:',
]

export const cards = {
  experience: { fact: 'Duración:', links: ['Más info'] },
  education: { fact: 'Duración:', links: ['Más info'] },
  proyect: { fact: 'Año:', links: ['Repo', 'Demo'] },
}

export const notices = {
  experience: {
    created: 'Experiencia añadida con éxito!',
    createFailed: 'Error al añadir experiencia',
    updated: 'Experiencia modificada con éxito.',
    updateFailed: 'Error al modificar experiencia.',
    deleted: 'Experiencia eliminada con éxito.',
  },
  education: {
    created: '¡Educación añadida con éxito!',
    createFailed: 'Error al añadir educación',
    updated: 'Educación modificada con éxito.',
    updateFailed: 'Error al modificar educación.',
    deleted: 'Experiencia eliminada con éxito.',
  },
  skill: {
    created: '¡Habilidad añadida con éxito!',
    createFailed: 'Error al añadir habilidad',
    updated: 'Habilidad modificada con éxito.',
    updateFailed: 'Error al modificar habilidad.',
    deleted: 'Habilidad eliminada con éxito.',
  },
  proyect: {
    created: '¡Proyecto añadido con éxito!',
    createFailed: 'Error al añadir proyecto',
    updated: 'Proyecto modificado con éxito.',
    updateFailed: 'Error al modificar proyecto.',
    deleted: 'Proyecto eliminado con éxito.',
  },
}

export const otherNotices = {
  loginWrong: 'Credenciales incorrectas.',
  loginLogged: 'Error occurred during login',
  personUpdated: 'Información personal modificada con éxito.',
  personUpdateFailed: 'Error al modificar información personal.',
  confirmRemoval: '¿Estás seguro que deseas eliminar este elemento?',
  remove: 'Eliminar',
  removalFailed: 'No fue posible eliminar el elemento.',
  removalCancelled: 'Eliminación cancelada.',
  contactSent: 'El mensaje fue enviado con éxito',
  contactFailed: 'Ocurrió un error al enviar el mensaje',
  unknownCategory: 'Categoría no válida',
}

/** Milliseconds, characters and endings. */
export const limits = {
  noticeMs: 3000,
  confirmMs: 5000,
  copiedMs: 2000,
  reloadAfterCreateMs: 3000,
  personId: 1,
  projectName: 20,
  projectDescription: 90,
  projectDuration: 20,
  imageEndings: ['.jpg', '.jpeg', '.png', '.svg'],
  defaultTheme: 'dark',
}

/** Image types and the beginnings of the names pictures are stored under: type, of a new entry, of an edited one. */
export const storageNames = {
  person: ['Person', undefined, 'perfil_'],
  experience: ['Experience', 'New/exp_', 'exp_'],
  education: ['Education', 'New/edu_', 'edu_'],
  skill: ['Skill', 'New/skill_', 'skill_'],
  proyect: ['Project', '/New/project_', 'project_'],
}
