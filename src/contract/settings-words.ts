import type { SettingOrigin } from './setting-kinds.ts'
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
  sections_hidden: {
    group: 'remote',
    label: 'Secciones ocultas',
    effect: 'No aparecen en la navegación.',
  },
  banner_text: {
    group: 'remote',
    label: 'Aviso en la portada',
    effect: 'Texto corto y opcional.',
  },
  banner_until: {
    group: 'remote',
    label: 'Último día del aviso',
    effect: 'Después deja de mostrarse. Vacío: no termina.',
  },
  banner_url: {
    group: 'remote',
    label: 'Enlace del aviso',
    effect: 'A dónde lleva el aviso. Vacío: es solo texto.',
  },
  contact_enabled: {
    group: 'remote',
    label: 'Formulario de contacto',
    effect: 'Se puede cerrar sin publicar de nuevo.',
  },
  contact_disabled_text: {
    group: 'remote',
    label: 'Texto del formulario cerrado',
    effect: 'Lo que se lee en su lugar.',
  },
  push_prompt_enabled: {
    group: 'remote',
    label: 'Ofrecer notificaciones',
    effect: 'Te pregunta una vez si quieres que este dispositivo te avise.',
  },
  typing_image_url: {
    group: 'remote',
    label: 'Servicio del título animado',
    effect: 'Vacío: lo dibuja este sitio.',
  },
  typing_color_dark: {
    group: 'remote',
    label: 'Color del título en el tema oscuro',
    effect: 'Seis cifras hexadecimales.',
  },
  typing_color_light: {
    group: 'remote',
    label: 'Color del título en el tema claro',
    effect: 'Seis cifras hexadecimales.',
  },
  max_image_mb: {
    group: 'remote',
    label: 'Tamaño máximo de imagen',
    effect: 'En megabytes, hasta 10.',
  },
  maintenance_readonly: {
    group: 'remote',
    label: 'Modo de solo lectura',
    effect:
      'El sitio se lee, pero no guarda cambios ni mensajes: esperan en cada dispositivo hasta que lo apagues.',
  },
  config_refresh_minutes: {
    group: 'remote',
    label: 'Minutos entre consultas',
    effect: 'Cada cuánto pregunta por estos valores una página abierta.',
  },
  notice_seconds: {
    group: 'remote',
    label: 'Segundos de un aviso',
    effect: 'Lo que se ve cada aviso al pie de la página.',
  },
  removal_seconds: {
    group: 'remote',
    label: 'Segundos para confirmar',
    effect: 'Lo que espera la pregunta antes de eliminar.',
  },
  copied_seconds: {
    group: 'remote',
    label: 'Segundos de «copiado»',
    effect: 'Lo que se ve el aviso de un correo copiado.',
  },
  reload_seconds: {
    group: 'remote',
    label: 'Segundos hasta recargar',
    effect: 'De una entrada nueva a la recarga de la página.',
  },
}

/** Where a value comes from, as the settings page says it. */
export const originWords = {
  label: 'Valor {origin}',
  default: 'predeterminado',
  own: 'propio',
  firebase: 'de Firebase',
  elsewhere: 'Se cambia en la consola de Firebase.',
  reset: 'Restablecer',
  resetOf: 'Restablecer {name}',
} as const satisfies Readonly<
  Record<SettingOrigin | 'label' | 'elsewhere' | 'reset' | 'resetOf', string>
>
