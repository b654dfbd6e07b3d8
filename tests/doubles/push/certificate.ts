import { spawnSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a stand-in for a host serves TLS with. */
export interface Certificate {
  readonly key: Buffer
  readonly cert: Buffer
  /** Makes Chromium accept it, whichever host it is asked for. */
  readonly chromiumArg: string
}

let made: Certificate | undefined

/** A certificate of this process's own, for this machine and Google's hosts. Needs the `openssl` command. */
export function testCertificate(): Certificate {
  made ??= make()
  return made
}

function make(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'tintero-certificate-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1,DNS:*.googleapis.com,DNS:*.google.com'
  const { status, stderr } = spawnSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=stand-in`
      .split(' ')
      .concat('-keyout', keyFile, '-out', certFile, '-addext', names),
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`)
  const [key, cert] = [readFileSync(keyFile), readFileSync(certFile)]
  rmSync(folder, { recursive: true })
  const spki = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })
  const hash = createHash('sha256').update(spki).digest('base64')
  return { key, cert, chromiumArg: `--ignore-certificate-errors-spki-list=${hash}` }
}
