import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { inertPolicy } from '#contract/images/image.ts'
import { pageSheets } from '#contract/page-heads.ts'
import { withSheet } from '../pages/template.ts'

/** Header names and values in turn, as `writeHead` takes them. */
export type HeaderList = readonly string[]

/** A flat list of names and values as an object. */
export function byName(headers: HeaderList): Readonly<Record<string, string>> {
  return Object.fromEntries(
    headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? '']] : [])),
  )
}

export interface SecurityHeaders {
  /** For the pages with this style sheet of their own: the policy allows their inline code and styles and no other. */
  page(sheet: string | undefined): HeaderList
  /** For the worker, and for files that open like pages, without inline code. */
  readonly file: HeaderList
  /** For answers that are data: nothing in them may run or load. */
  readonly api: HeaderList
  /**
   * For scripts, sheets, fonts and photographs, which can do nothing as documents and so need no headers for documents.
   */
  readonly part: HeaderList
  /**
   * For vector pictures: opened on their own they are documents, and their policy keeps them inert. The other headers
   * for documents are needless, since no script runs, nothing loads, and no window belongs to them.
   */
  readonly picture: HeaderList
}

interface Site {
  /** The built template; without one (under development) pages get no content security policy. */
  readonly template?: string
  readonly publicUrl: string
  /** Hosts that the built pages call beside those that the template names. */
  readonly hosts?: readonly string[]
  /** See `pictureReach`. */
  readonly allowedOrigins?: readonly string[]
}

/**
 * Whose pages may show pictures, as `Cross-Origin-Resource-Policy` says it. Browsers know no list of origins for that, and ask
 * for pictures without naming one: where another origin may call, every page may show what any visitor may see.
 */
export function pictureReach(allowedOrigins: readonly string[]): 'same-origin' | 'cross-origin' {
  return allowedOrigins.length > 0 ? 'cross-origin' : 'same-origin'
}

const twoYears = 63_072_000

/** Headers for documents beside their policy. */
const forDocuments = [
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
] as const

/** Removes the headers for documents from the answer of a picture, whose own policy is enough. */
export function saidOfPicture(answer: Pick<ServerResponse, 'removeHeader'> | undefined): void {
  for (const [name] of forDocuments) answer?.removeHeader(name)
}

/**
 * Allows inline scripts and styles by the hashes of the template's; anything drawn into a page later is not allowed.
 */
export function securityHeaders({
  template,
  publicUrl,
  hosts = [],
  allowedOrigins = [],
}: Site): SecurityHeaders {
  const secure = publicUrl.startsWith('https:')
  const shownBy = (reach: string) =>
    [
      ['X-Content-Type-Options', 'nosniff'],
      ['Cross-Origin-Resource-Policy', reach],
      ...(secure ? [['Strict-Transport-Security', `max-age=${twoYears}; includeSubDomains`]] : []),
    ].flat()
  const part = shownBy('same-origin')
  const common = [...part, ...forDocuments.flat()]
  const withPolicy = (policy: string) => [...common, 'Content-Security-Policy', policy]
  const reachable = [...externalHosts(template ?? ''), ...hosts]
  const allowing = (inline: string) =>
    template === undefined ? common : withPolicy(pagePolicy(inline, { secure, hosts: reachable }))
  const file = allowing('')
  const pages = new Map(
    [undefined, ...pageSheets].map((sheet) => [sheet, allowing(withSheet(template ?? '', sheet))]),
  )
  return {
    page: (sheet) => pages.get(sheet) ?? file,
    file,
    part,
    api: withPolicy("default-src 'none'; frame-ancestors 'none'"),
    picture: [...shownBy(pictureReach(allowedOrigins)), 'Content-Security-Policy', inertPolicy],
  }
}

function pagePolicy(
  inline: string,
  { secure, hosts }: { readonly secure: boolean; readonly hosts: readonly string[] },
): string {
  const directives = {
    'default-src': "'none'",
    'script-src': `'self' ${hashes(inline, /<script>([\s\S]*?)<\/script>/g)}`,
    'style-src': `'self' ${hashes(inline, /<style[^>]*>([\s\S]*?)<\/style>/g)}`,
    // Entries may show pictures that live elsewhere; the page sends them nothing.
    'img-src': "'self' data: blob: https:",
    'font-src': "'self'",
    'connect-src': ["'self'", ...hosts].join(' '),
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    // Only the registration of the worker names a script at run time.
    'trusted-types': 'pwa-sw',
    ...(secure && { 'upgrade-insecure-requests': '' }),
  }
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ')
}

function hashes(inline: string, element: RegExp): string {
  return [...inline.matchAll(element)]
    .map(([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`)
    .join(' ')
}

/** The template names the hosts that the build was told to call. */
function externalHosts(template: string): readonly string[] {
  const named = template.matchAll(/<link rel="dns-prefetch" href="(https?:\/\/[^"/]+)">/g)
  return [...named].map(([, origin = '']) => origin)
}
