import { image, more, paragraph, text, url } from '../fields.ts'
import { defineSection } from './section.ts'

export const experience = defineSection({
  key: 'experience',
  title: 'Experiencia',
  path: '/experiences',
  addPath: '/addExp',
  editPath: '/editExp/$id',
  order: 'newest-first',
  icon: 'brief',
  images: { type: 'Experience', newName: 'New/exp_', editName: 'exp_' },
  fields: {
    name: text('Nombre de la empresa u organización:', { autocomplete: 'organization' }),
    description: paragraph('Tarea realizada:'),
    duration: text('Duración:', { hint: 'Mes o meses y año' }),
    info: url('Link de interés:', { placeholder: 'https://' }),
    image: image('Imagen o logotipo:'),
    role: more(text('Cargo:')),
  },
  display: {
    kind: 'card',
    layout: 'timeline',
    image: 'image',
    title: 'name',
    under: 'role',
    body: 'description',
    fact: { label: 'Duración:', field: 'duration' },
    links: [{ label: 'Más info', field: 'info' }],
  },
  cvRank: 1,
  words: {
    noun: 'experiencia',
    one: '1 experiencia',
    many: '{n} experiencias',
    add: 'Nueva experiencia',
    edit: 'Editar experiencia',
    empty: 'Aún no hay experiencias',
    emptyHint: 'Vuelve pronto: aquí se publicará el recorrido profesional.',
    emptyOwner: 'Publica tu primera experiencia',
    emptyOwnerHint: 'El nombre de la organización y qué hiciste bastan para empezar.',
  },
})
