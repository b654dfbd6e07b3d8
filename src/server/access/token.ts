import { hash, randomBytes } from 'node:crypto'

/** A secret nobody can guess: 32 random bytes as 43 URL-safe characters. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database keeps of a secret: SHA-256 in hex. Enough for random secrets, never for passwords. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}
