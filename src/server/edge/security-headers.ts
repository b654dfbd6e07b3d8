import { createHash } from 'node:crypto'

/** Header names and values in turn, as `writeHead` takes them. */
export type HeaderList = readonly string[]

/** The headers of every answer, by what is answered. */
export interface SecurityHeaders {
  readonly page: HeaderList
  /** For answers that are data: nothing in them may run or load. */
  readonly api: HeaderList
  /** For vector pictures: opened on their own they are documents, and must stay inert. */
  readonly picture: HeaderList
}

interface Site {
  /** The built template; without one (under development) pages get no content security policy. */
  readonly template?: string
  readonly publicUrl: string
  /** Hosts that the built pages call beside those that the template names. */
  readonly hosts?: readonly string[]
}

const twoYears = 63_072_000

/** The security headers of the site; scripts and styles that stand in the template are allowed by their hashes. */
export function securityHeaders({ template, publicUrl, hosts = [] }: Site): SecurityHeaders {
  const secure = publicUrl.startsWith('https:')
  const common = [
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ...(secure ? [['Strict-Transport-Security', `max-age=${twoYears}; includeSubDomains`]] : []),
  ].flat()
  const withPolicy = (policy: string) => [...common, 'Content-Security-Policy', policy]
  return {
    page: template === undefined ? common : withPolicy(pagePolicy(template, { secure, hosts })),
    api: withPolicy("default-src 'none'; frame-ancestors 'none'"),
    picture: withPolicy("default-src 'none'; style-src 'unsafe-inline'; sandbox"),
  }
}

function pagePolicy(
  template: string,
  { secure, hosts }: { readonly secure: boolean; readonly hosts: readonly string[] },
): string {
  const directives = {
    'default-src': "'none'",
    'script-src': `'self' ${hashes(template, /<script>([\s\S]*?)<\/script>/g)}`,
    'style-src': `'self' ${hashes(template, /<style[^>]*>([\s\S]*?)<\/style>/g)}`,
    // Entries may show pictures that live elsewhere; the page sends them nothing.
    'img-src': "'self' data: blob: https:",
    'font-src': "'self'",
    'connect-src': ["'self'", ...externalHosts(template), ...hosts].join(' '),
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    // The one place that names a script at run time: registering the worker.
    'trusted-types': 'pwa-sw',
    ...(secure && { 'upgrade-insecure-requests': '' }),
  }
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ')
}

function hashes(template: string, inline: RegExp): string {
  return [...template.matchAll(inline)]
    .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    .join(' ')
}

/** The other hosts the build was told to call, which it names in the template. */
function externalHosts(template: string): readonly string[] {
  const named = template.matchAll(/<link rel="dns-prefetch" href="(https?:\/\/[^"/]+)">/g)
  return [...named].map(([, origin = '']) => origin)
}
