export const adminRole = 'ROLE_ADMIN'

/** The answer of `auth/login` and, for the session it opens at once, of `auth/setup`. */
export interface Session {
  readonly token: string
  readonly userName: string
  readonly authorities: readonly { readonly authority: string }[]
  /** The same for one owner whatever her name is, and another for another one. */
  readonly account?: string
}

/** The page that one-time links open; the link's token follows as the fragment, which no server log sees. */
export const setupPath = '/configurar'
