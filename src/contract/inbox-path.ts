/** The owner's page of messages. */
export const inboxPath = '/inbox'

/** What the page's address says: which message is open and which tray is shown. */
export const inboxSearch = { message: 'mensaje', tray: 'bandeja' } as const

/** The address that opens the inbox at one message; notifications lead there. */
export function messagePath(id: string): string {
  return `${inboxPath}?${inboxSearch.message}=${id}`
}
