import { image, paragraph, text, type FieldValues } from '../fields.ts'

/** The owner's name and speciality, edited at `/editProf/1`. */
export const headerFields = {
  name: text('Nombre:', { autocomplete: 'given-name' }),
  lastname: text('Apellido:', { autocomplete: 'family-name' }),
  title: text('Título:'),
}

/** Who she is, in her words and a picture, edited at `/editPer/1`. */
export const aboutFields = {
  description: paragraph('Descripción:'),
  image: image('Imagen:'),
}

/** Everything the profile holds; the two forms each send only their own fields. */
export const personFields = { ...headerFields, ...aboutFields }

/** Storage names of the profile's picture. */
export const personImages = { type: 'Person', newName: 'New/perfil_', editName: 'perfil_' }

export const personForms = {
  header: {
    path: '/editProf/$id',
    backPath: '/',
    title: 'Editar encabezado',
  },
  about: {
    path: '/editPer/$id',
    backPath: '/about',
    title: 'Editar descripción y foto',
  },
} as const

export interface Person {
  readonly version: number
  readonly fields: FieldValues
}

/** What the site is called until its owner has written her name. */
const nameless = 'Mi portafolio'

/** Whether the owner has written her name: a site begun empty has none yet. */
export function hasName({ fields }: Person): boolean {
  return Boolean(fields['name'] || fields['lastname'])
}

/** Name and surname as written on every page, or what stands for them. */
export function fullName(person: Person): string {
  const { name, lastname } = person.fields
  return hasName(person) ? [name, lastname].filter(Boolean).join(' ') : nameless
}

/** A description's paragraphs: its lines, without the empty ones. */
export function paragraphsOf(description: string): readonly string[] {
  return description.split('\n').filter((line) => line.trim() !== '')
}
