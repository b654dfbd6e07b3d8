import type { Section } from './section.ts'

/** What the owner reads after each change of an entry, in the words given; apart from the sections, since no visitor's page says so. */
interface Notices {
  readonly created: string
  readonly createFailed: string
  readonly updated: string
  readonly updateFailed: string
  readonly deleted: string
}

const notices: Readonly<Record<string, Notices>> = {
  proyect: {
    created: '¡Proyecto añadido con éxito!',
    createFailed: 'Error al añadir proyecto',
    updated: 'Proyecto modificado con éxito.',
    updateFailed: 'Error al modificar proyecto.',
    deleted: 'Proyecto eliminado con éxito.',
  },
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
    deleted: 'Experiencia eliminada con éxito.', // the product has always used experience's words here
  },
  skill: {
    created: '¡Habilidad añadida con éxito!',
    createFailed: 'Error al añadir habilidad',
    updated: 'Habilidad modificada con éxito.',
    updateFailed: 'Error al modificar habilidad.',
    deleted: 'Habilidad eliminada con éxito.',
  },
  certificate: {
    created: '¡Certificación añadida con éxito!',
    createFailed: 'Error al añadir certificación',
    updated: 'Certificación modificada con éxito.',
    updateFailed: 'Error al modificar certificación.',
    deleted: 'Certificación eliminada con éxito.',
  },
  language: {
    created: '¡Idioma añadido con éxito!',
    createFailed: 'Error al añadir idioma',
    updated: 'Idioma modificado con éxito.',
    updateFailed: 'Error al modificar idioma.',
    deleted: 'Idioma eliminado con éxito.',
  },
}

/** The notices of a section; one without words of its own gets some that fit any noun. */
export function noticesOf({ key, words: { noun } }: Pick<Section, 'key' | 'words'>): Notices {
  return (
    notices[key] ?? {
      created: 'Se añadió con éxito.',
      createFailed: `Error al añadir ${noun}`,
      updated: 'Se modificó con éxito.',
      updateFailed: `Error al modificar ${noun}.`,
      deleted: 'Se eliminó con éxito.',
    }
  )
}
