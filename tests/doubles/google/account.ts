import { generateKeyPairSync } from 'node:crypto'

/** A project at Firebase that exists only in tests. */
export const project = {
  id: 'demo-portfolio',
  number: '123456789012',
  apiKey: 'demo-key',
  appId: '1:123456789012:web:0123456789abcdef',
  bucket: 'demo-portfolio.firebasestorage.app',
} as const

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Checks what the service account below signed. */
export const accountKey = pair.publicKey

/** A service account as Firebase's console hands it out. */
export const accountFile = {
  type: 'service_account',
  project_id: project.id,
  client_email: `tintero@${project.id}.iam.gserviceaccount.com`,
  private_key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}
