import { hash, randomBytes } from 'node:crypto'

/** 32 random bytes as 43 URL-safe characters. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 in hex. It suffices for random secrets, never for passwords. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}
