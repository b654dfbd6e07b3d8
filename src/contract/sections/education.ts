import { image, more, paragraph, text, url } from '../fields.ts'
import { defineSection } from './section.ts'

export const education = defineSection({
  key: 'education',
  title: 'Educación',
  path: '/educations',
  addPath: '/addEdu',
  editPath: '/editEdu/$id',
  order: 'newest-first',
  icon: 'grad',
  images: { type: 'Education', newName: 'New/edu_', editName: 'edu_' },
  fields: {
    name: text('Nombre del estudio o certificación:'),
    description: paragraph('Contenido:'),
    duration: text('Duración:', { hint: 'Mes o meses y año' }),
    info: url('Link de interés:', { placeholder: 'https://' }),
    image: image('Imagen o logotipo:'),
    institution: more(text('Institución:')),
  },
  display: {
    kind: 'card',
    layout: 'timeline',
    image: 'image',
    title: 'name',
    under: 'institution',
    body: 'description',
    fact: { label: 'Duración:', field: 'duration' },
    links: [{ label: 'Más info', field: 'info' }],
  },
  cvRank: 3,
  words: {
    noun: 'estudio',
    one: '1 estudio',
    many: '{n} estudios',
    add: 'Nuevo estudio',
    edit: 'Editar estudio',
    empty: 'Aún no hay estudios',
    emptyHint: 'Vuelve pronto: aquí se publicarán los estudios y certificaciones.',
    emptyOwner: 'Publica tu primer estudio',
    emptyOwnerHint: 'El nombre del estudio y su contenido bastan para empezar.',
  },
})
