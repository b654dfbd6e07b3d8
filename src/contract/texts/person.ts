/** What changing the profile is announced with; apart from it, since no visitor's page says so. */
export const personNotices = {
  updated: 'Información personal modificada con éxito.',
  updateFailed: 'Error al modificar información personal.',
}
