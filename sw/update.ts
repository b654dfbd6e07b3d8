/** Whether any page of the site is on screen, those of an older worker included. */
export async function isAnyoneLooking(clients: Pick<Clients, 'matchAll'>): Promise<boolean> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  return pages.some((page) => 'visibilityState' in page && page.visibilityState === 'visible')
}
