import { optional, text } from '../fields.ts'
import { defineSection } from './section.ts'

export const language = defineSection({
  key: 'language',
  title: 'Idiomas',
  path: '/languages',
  addPath: '/addLang',
  editPath: '/editLang/$id',
  startsOff: true,
  order: 'as-loaded',
  icon: 'languages',
  fields: {
    name: text('Idioma:'),
    level: optional(text('Nivel:', { hint: 'Opcional: nativo, C1, básico…' })),
  },
  display: {
    kind: 'card',
    layout: 'grid',
    title: 'name',
    fact: { label: 'Nivel:', field: 'level' },
    links: [],
  },
  cvRank: 6,
  words: {
    noun: 'idioma',
    one: '1 idioma',
    many: '{n} idiomas',
    add: 'Nuevo idioma',
    edit: 'Editar idioma',
    empty: 'Aún no hay idiomas',
    emptyHint: 'Vuelve pronto: aquí se publicarán los idiomas.',
    emptyOwner: 'Publica tu primer idioma',
    emptyOwnerHint: 'El idioma y su nivel bastan para empezar.',
  },
})
