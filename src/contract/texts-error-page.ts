/** Words of the page for a page that could not be drawn; only the server says them. */
export const errorPageTexts = {
  /** The server has written down why, where its operator reads it. */
  logged: 'Ya quedó registrado.',
} as const
