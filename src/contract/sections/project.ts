import { image, paragraph, text, url } from '../fields.ts'
import { defineSection } from './section.ts'

export const project = defineSection({
  key: 'proyect', // spelled so in the calls since the product's first version
  title: 'Proyectos',
  path: '/projects',
  addPath: '/addProj',
  editPath: '/editProj/$id',
  order: 'newest-first',
  icon: 'folder',
  images: { type: 'Project', newName: '/New/project_', editName: 'project_' },
  fields: {
    name: text('Nombre del proyecto:', { newLimit: 20 }),
    description: paragraph('Descripción:', { limit: 90 }),
    duration: text('Duración (mes o meses y año):', { limit: 20 }),
    repo: url('Link repositorio:', { placeholder: 'https://' }),
    demo: url('Link demostración:', { placeholder: 'https://' }),
    image: image('Imagen o logotipo:'),
  },
  display: {
    kind: 'card',
    layout: 'grid',
    image: 'image',
    title: 'name',
    body: 'description',
    fact: { label: 'Año:', field: 'duration' },
    links: [
      { label: 'Repo', field: 'repo' },
      { label: 'Demo', field: 'demo' },
    ],
  },
  cvRank: 2,
  words: {
    noun: 'proyecto',
    one: '1 proyecto',
    many: '{n} proyectos',
    add: 'Nuevo proyecto',
    edit: 'Editar proyecto',
    empty: 'Aún no hay proyectos',
    emptyHint: 'Vuelve pronto: aquí se publicarán los trabajos.',
    emptyOwner: 'Publica tu primer proyecto',
    emptyOwnerHint: 'Nombre, una frase y una imagen bastan para empezar.',
  },
})
