import type { SettingKey } from './settings.ts'

export interface SettingWords {
  /** The part of the settings page it stands in. */
  readonly group: 'facts' | 'remote'
  readonly label: string
  readonly effect: string
}

/** How the settings page speaks of each parameter; only the owner reads this. */
export const settingWords: Readonly<Record<SettingKey, SettingWords>> = {
  location_text: {
    group: 'facts',
    label: 'Ubicación',
    effect: 'Aparece en «Sobre mí» y en el CV.',
  },
  age_text: {
    group: 'facts',
    label: 'Edad',
    effect: 'Texto libre.',
  },
  availability_text: {
    group: 'facts',
    label: 'Disponibilidad',
    effect: 'Aparece en la portada y en «Sobre mí».',
  },
  email: {
    group: 'facts',
    label: 'Correo público',
    effect: 'Se copia desde el pie de página.',
  },
  linkedin_url: {
    group: 'facts',
    label: 'LinkedIn',
    effect: 'Enlace del pie de página.',
  },
  github_url: {
    group: 'facts',
    label: 'GitHub',
    effect: 'Enlace del pie de página.',
  },
  default_theme: {
    group: 'remote',
    label: 'Tema claro por defecto',
    effect: 'Para quien todavía no eligió un tema.',
  },
  contact_enabled: {
    group: 'remote',
    label: 'Formulario de contacto',
    effect: 'Se puede cerrar sin publicar de nuevo.',
  },
  banner_text: {
    group: 'remote',
    label: 'Aviso en la portada',
    effect: 'Texto corto y opcional.',
  },
  sections_hidden: {
    group: 'remote',
    label: 'Secciones ocultas',
    effect: 'No aparecen en la navegación.',
  },
  typing_image_url: {
    group: 'remote',
    label: 'Servicio del título animado',
    effect: 'Vacío: lo dibuja este sitio.',
  },
}
