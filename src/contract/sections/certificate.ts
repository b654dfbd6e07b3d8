import { image, optional, text, url } from '../fields.ts'
import { defineSection } from './section.ts'

export const certificate = defineSection({
  key: 'certificate',
  title: 'Certificaciones',
  path: '/certificates',
  addPath: '/addCert',
  editPath: '/editCert/$id',
  startsOff: true,
  order: 'newest-first',
  icon: 'award',
  images: { type: 'Certificate', newName: 'New/cert_', editName: 'cert_' },
  fields: {
    name: text('Nombre de la certificación:'),
    issuer: text('Entidad:'),
    duration: optional(text('Fecha:', { hint: 'Opcional: mes y año, o solo el año' })),
    info: optional(url('Enlace:', { placeholder: 'https://' })),
    image: image('Imagen o logotipo:'),
  },
  display: {
    kind: 'card',
    layout: 'timeline',
    image: 'image',
    title: 'name',
    body: 'issuer',
    fact: { label: 'Fecha:', field: 'duration' },
    links: [{ label: 'Ver', field: 'info' }],
  },
  cvRank: 4,
  words: {
    noun: 'certificación',
    one: '1 certificación',
    many: '{n} certificaciones',
    add: 'Nueva certificación',
    edit: 'Editar certificación',
    empty: 'Aún no hay certificaciones',
    emptyHint: 'Vuelve pronto: aquí se publicarán las certificaciones.',
    emptyOwner: 'Publica tu primera certificación',
    emptyOwnerHint: 'El nombre y la entidad bastan para empezar.',
  },
})
