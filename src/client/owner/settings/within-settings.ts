/** For links between places of the settings: the router compares paths alone, and would mark each as the page that one is on. */
export const withinSettings = { to: '/settings', activeOptions: { includeHash: true } } as const
