import type { FieldValues } from './fields.ts'

/** What a site shows before it has an owner: an invented person, so that every page can be seen full. */
interface Sample {
  readonly person: FieldValues
  readonly settings: Readonly<Record<string, string>>
  /** By section key, in the order in which they were "made". */
  readonly entries: Readonly<Record<string, readonly FieldValues[]>>
}

const logo = (name: string) => `/sample/logo-${name}.120x120.svg`
/** A host reserved for examples: nobody can own it. */
const link = (path: string) => `https://example.com/${path}`

const project = (name: string, slug: string, rest: { description: string; duration: string }) => ({
  name,
  ...rest,
  repo: link(`repos/${slug}`),
  demo: link(slug),
  image: `/sample/proj-${slug}.760x440.svg`,
})

const skill = (name: string, icon = name.toLowerCase()) => ({
  name,
  icon: `/sample/sk-${icon}.50x50.svg`,
})

export const sample: Sample = {
  person: {
    name: 'Lucía',
    lastname: 'Ejemplo',
    title: 'Desarrolladora full stack',
    description: [
      'Diseño y construyo productos web de punta a punta: interfaces accesibles, APIs que aguantan y despliegues sin sobresaltos.',
      'Empecé arreglando la web de la biblioteca de mi barrio y no paré. Hoy trabajo sobre todo con TypeScript, React y Node, y me interesa que lo que hago funcione también con mala conexión.',
      'Cuando no programo, doy talleres de accesibilidad y cuido una huerta con más sensores de los necesarios.',
    ].join('\n'),
    image: '/sample/perfil.640x800.svg',
  },
  settings: {
    location_text: 'Ciudad Ejemplo',
    age_text: '30 años',
    email: 'lucia@example.com',
    linkedin_url: link('in/lucia-ejemplo'),
    github_url: link('lucia-ejemplo'),
  },
  entries: {
    proyect: [
      project('Papelito', 'papelito', {
        description:
          'Notas compartidas en tiempo real para talleres; cada quien pega y ordena ideas.',
        duration: 'Mayo 2025',
      }),
      project('Turnero simple', 'turnero', {
        description:
          'Agenda de turnos para consultorios chicos: recordatorios, huecos y lista de espera.',
        duration: 'Octubre 2025',
      }),
      project('Feria cerca', 'feria', {
        description:
          'Mapa de ferias y puestos del barrio con horarios que confirma la propia comunidad.',
        duration: 'Marzo 2026',
      }),
      project('Mareas', 'mareas', {
        description:
          'Pronóstico de mareas y viento para pescadores, usable sin conexión en altamar.',
        duration: 'Agosto 2026',
      }),
    ],
    experience: [
      {
        name: 'Biblioteca Ejemplo',
        description:
          'Catálogo en línea y talleres de computación para el barrio. Aquí escribí mi primera página para otras personas.',
        duration: 'Marzo 2016 – mayo 2018',
        info: link('biblioteca'),
        image: logo('biblioteca'),
      },
      {
        name: 'Estudio Boceto',
        description:
          'Sitios y campañas para organizaciones culturales. Primer contacto serio con la accesibilidad web.',
        duration: 'Junio 2018 – diciembre 2020',
        info: link('boceto'),
        image: logo('boceto'),
      },
      {
        name: 'Cooperativa Muestra',
        description:
          'Desarrollo de la plataforma de pedidos: catálogo, logística y pagos. Puse en marcha las pruebas de extremo a extremo.',
        duration: 'Enero 2021 – febrero 2024',
        info: link('muestra'),
        image: logo('muestra'),
      },
      {
        name: 'Nube Ficticia',
        description:
          'Lidero un equipo de cuatro personas. Migramos el panel de clientes a React y bajamos el tiempo de carga de 6 s a 1,4 s.',
        duration: 'Marzo 2024 – actual',
        info: link('nube-ficticia'),
        image: logo('ficticia'),
      },
    ],
    education: [
      {
        name: 'Bachillerato técnico en informática',
        description: 'Escuela Técnica Demo. Primeros programas y una red local para la escuela.',
        duration: 'Marzo 2008 – diciembre 2013',
        info: link('tecnica'),
        image: logo('tecnica'),
      },
      {
        name: 'Licenciatura en Sistemas',
        description: 'Universidad Demo. Trabajo final sobre sincronización de datos sin conexión.',
        duration: 'Marzo 2014 – diciembre 2019',
        info: link('unidemo'),
        image: logo('unidemo'),
      },
      {
        name: 'Accesibilidad web avanzada',
        description:
          'Aula Abierta de Ejemplo. WCAG 2.2, tecnologías de apoyo y auditorías con personas usuarias.',
        duration: 'Abril – julio 2022',
        info: link('aula'),
        image: logo('aula'),
      },
      {
        name: 'Certificación en arquitectura de nube',
        description: 'Instituto Código. Redes, costos, observabilidad y recuperación ante fallas.',
        duration: 'Septiembre 2023',
        info: link('codigo'),
        image: logo('codigo'),
      },
    ],
    skill: [
      skill('TypeScript'),
      skill('React'),
      skill('Node.js', 'nodedotjs'),
      skill('PostgreSQL'),
      skill('SQLite'),
      skill('Vite'),
      skill('Vitest'),
      skill('PWA'),
      skill('Firebase'),
      skill('Docker'),
      skill('Git'),
      skill('Figma'),
      skill('CSS'),
      skill('HTML5'),
      skill('GraphQL'),
      skill('Tailwind CSS', 'tailwindcss'),
    ],
  },
}
