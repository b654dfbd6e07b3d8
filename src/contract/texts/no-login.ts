/** Why nobody can sign in just now. */
export const noLoginTexts = {
  offline: 'Sin conexión: no se puede iniciar sesión',
  /** There is a network, but our server did not answer over it. */
  silent: 'El servidor no responde: no se puede iniciar sesión. Prueba de nuevo en un momento.',
} as const

/** Why a one-time link opens nothing just now. */
export const noSetupTexts = {
  offline: 'Sin conexión: no se puede usar este enlace',
  silent: 'El servidor no responde: no se puede usar este enlace. Prueba de nuevo en un momento.',
} as const
