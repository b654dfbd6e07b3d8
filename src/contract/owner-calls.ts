/** Paths, below the API base, of the calls that the owner makes, or who runs the site; `api.ts` has everybody's. */
export const ownerCalls = {
  login: 'auth/login',
  logout: 'auth/logout',
  logoutOthers: 'auth/logout/others',
  password: 'auth/password',
  setup: 'auth/setup',
  setupCheck: 'auth/setup/check',
  image: 'image',
  messages: 'messages',
  devices: 'devices',
  push: 'push',
  health: 'health',
  ready: 'ready',
  metrics: 'metrics',
  backups: 'backups',
  backupStatus: 'backups/status',
} as const
