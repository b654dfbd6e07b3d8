import type { SettingOrigin } from '../settings/kinds.ts'
import type { OwnKey } from '../settings/settings.ts'

/** What stands behind the # of the address of each group that holds parameters. */
export const settingPlaces = {
  profile: 'perfil',
  profiles: 'perfil',
  look: 'apariencia',
  sections: 'secciones',
  contact: 'contacto',
  notice: 'aviso',
  push: 'notificaciones',
  advanced: 'avanzado',
} as const

/** The same of the parts of the settings page that hold no parameter. */
export const otherPlaces = { data: 'datos', access: 'acceso', application: 'aplicacion' } as const

export interface SettingWords {
  /** The part of the settings page it stands in. */
  readonly group: keyof typeof settingPlaces
  readonly label: string
  readonly effect: string
}

export const settingWords: Readonly<Record<OwnKey, SettingWords>> = {
  location_text: {
    group: 'profile',
    label: 'Ubicación',
    effect: 'Aparece en «Sobre mí» y en el CV.',
  },
  age_text: {
    group: 'profile',
    label: 'Edad',
    effect: 'Texto libre.',
  },
  birth_date: {
    group: 'profile',
    label: 'Fecha de nacimiento',
    effect: 'Opcional: de ella sale tu edad, al día. Solo tú ves la fecha.',
  },
  availability_text: {
    group: 'profile',
    label: 'Disponibilidad',
    effect: 'Aparece en la portada y en «Sobre mí».',
  },
  email: {
    group: 'profile',
    label: 'Correo público',
    effect: 'Se copia desde el pie de página.',
  },
  linkedin_url: {
    group: 'profiles',
    label: 'LinkedIn',
    effect: 'Enlace del pie de página.',
  },
  github_url: {
    group: 'profiles',
    label: 'GitHub',
    effect: 'Enlace del pie de página.',
  },
  profile_urls: {
    group: 'profiles',
    label: 'Otros perfiles',
    effect: 'Vacío: se quita de la lista.',
  },
  default_theme: {
    group: 'look',
    label: 'Tema al entrar',
    effect: 'Para quien todavía no eligió un tema.',
  },
  sections_hidden: {
    group: 'sections',
    label: 'Secciones',
    effect: 'Una sección apagada no existe para los visitantes.',
  },
  sections_shown: {
    group: 'sections',
    label: 'Otras secciones',
    effect: 'Apagadas hasta que las enciendas.',
  },
  sections_order: {
    group: 'sections',
    label: 'Orden de las secciones',
    effect: 'Así se leen en la navegación, en la portada y en el CV.',
  },
  banner_text: {
    group: 'notice',
    label: 'Texto del aviso',
    effect: 'Vacío: no hay aviso.',
  },
  banner_until: {
    group: 'notice',
    label: 'Último día del aviso',
    effect: 'Después deja de mostrarse solo. Vacío: no termina.',
  },
  banner_url: {
    group: 'notice',
    label: 'Enlace del aviso',
    effect: 'A dónde lleva. Vacío: es solo texto.',
  },
  contact_enabled: {
    group: 'contact',
    label: 'Recibir mensajes',
    effect: 'Si lo apagas, en su lugar se lee el texto de abajo.',
  },
  contact_reply_text: {
    group: 'contact',
    label: 'Cuándo respondes',
    effect: 'Se lee sobre el formulario. Vacío: no se dice.',
  },
  contact_disabled_text: {
    group: 'contact',
    label: 'Texto con el formulario cerrado',
    effect: 'Lo que se lee en su lugar.',
  },
  push_prompt_enabled: {
    group: 'push',
    label: 'Ofrecer notificaciones',
    effect: 'Te pregunta una vez si quieres que este dispositivo te avise.',
  },
  typing_image_url: {
    group: 'advanced',
    label: 'Servicio del título animado',
    effect: 'Vacío: lo dibuja este sitio.',
  },
  typing_color_dark: {
    group: 'advanced',
    label: 'Color del título en el tema oscuro',
    effect: 'Seis cifras hexadecimales.',
  },
  typing_color_light: {
    group: 'advanced',
    label: 'Color del título en el tema claro',
    effect: 'Seis cifras hexadecimales.',
  },
  max_image_mb: {
    group: 'advanced',
    label: 'Tamaño máximo de imagen',
    effect: 'En megabytes, hasta 10.',
  },
  maintenance_readonly: {
    group: 'advanced',
    label: 'Modo de solo lectura',
    effect:
      'El sitio se lee, pero no guarda cambios ni mensajes: esperan en cada dispositivo hasta que lo apagues.',
  },
  config_refresh_minutes: {
    group: 'advanced',
    label: 'Minutos entre consultas',
    effect: 'Cada cuánto pregunta por estos valores una página abierta.',
  },
  notice_seconds: {
    group: 'advanced',
    label: 'Segundos de un aviso',
    effect: 'Lo que se ve cada aviso al pie de la página.',
  },
  removal_seconds: {
    group: 'advanced',
    label: 'Segundos para confirmar',
    effect: 'Lo que espera la pregunta antes de eliminar.',
  },
  copied_seconds: {
    group: 'advanced',
    label: 'Segundos de «copiado»',
    effect: 'Lo que se ve el aviso de un correo copiado.',
  },
  reload_seconds: {
    group: 'advanced',
    label: 'Segundos hasta recargar',
    effect: 'De una entrada nueva a la recarga de la página.',
  },
}

export const ageWords = {
  derived: 'Sale de tu fecha de nacimiento. Bórrala para escribir otro texto.',
  hint: 'Ej.: 4 de mayo de 1992',
  unread: 'La fecha guardada se lee con conexión.',
} as const

export const originWords = {
  label: 'Valor {origin}',
  default: 'predeterminado',
  own: 'propio',
  firebase: 'de Firebase',
  elsewhere: 'Se cambia en la consola de Firebase.',
} as const satisfies Readonly<Record<SettingOrigin | 'label' | 'elsewhere', string>>
