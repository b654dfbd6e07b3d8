import { image, more, text } from '../fields.ts'
import { defineSection } from './section.ts'

export const skill = defineSection({
  key: 'skill',
  title: 'Habilidades',
  path: '/skills',
  addPath: '/addHab',
  editPath: '/editHab/$id',
  order: 'as-loaded',
  icon: 'spark',
  images: { type: 'Skill', newName: 'New/skill_', editName: 'skill_' },
  fields: {
    name: text('Nombre de la habilidad:'),
    icon: image('Icono:'),
    group: more(text('Grupo:')),
  },
  display: { kind: 'icon', image: 'icon', title: 'name' },
  cvRank: 9,
  words: {
    noun: 'habilidad',
    one: '1 tecnología',
    many: '{n} tecnologías',
    add: 'Nueva habilidad',
    edit: 'Editar habilidad',
    empty: 'Aún no hay habilidades',
    emptyHint: 'Vuelve pronto: aquí se publicarán las tecnologías.',
    emptyOwner: 'Publica tu primera habilidad',
    emptyOwnerHint: 'Un nombre y un icono bastan para empezar.',
  },
})
