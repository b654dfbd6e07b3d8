import { createHash } from 'node:crypto'
import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { afterAll, expect, test } from 'vitest'
import { openPaths, ownerPaths } from '#tests/support/page-paths.ts'
import { openSite } from '#tests/support/site.ts'

type Node = DefaultTreeAdapterTypes.Node

// Only read from, so one running product serves all tests of this file.
const site = await openSite()
afterAll(() => site.close())

/** The hashes of what stands inline in a document and needs leave: styles, and scripts that are code. */
function inlineOf(html: string) {
  const found = { 'style-src': [] as string[], 'script-src': [] as string[] }
  const visit = (node: Node) => {
    if ('tagName' in node) {
      const names = node.attrs.map(({ name }) => name)
      const text = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
      const hash = `'sha256-${createHash('sha256').update(text).digest('base64')}'`
      if (node.tagName === 'style') found['style-src'].push(hash)
      const isCode = !names.includes('src') && !names.includes('type')
      if (node.tagName === 'script' && isCode) found['script-src'].push(hash)
    }
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(html))
  return found
}

/** What the policy of a page allows beside the site's own files, and what stands inline in it. */
async function policyOf(answer: Response) {
  const directives = (answer.headers.get('content-security-policy') ?? '').split('; ')
  const allowedBy = (name: string) => {
    const [, own, ...hashes] =
      directives.find((one) => one.startsWith(`${name} `))?.split(' ') ?? []
    return own === "'self'" ? hashes : undefined
  }
  const allowed = { 'style-src': allowedBy('style-src'), 'script-src': allowedBy('script-src') }
  return { allowed, inline: inlineOf(await answer.text()) }
}

const addresses = [
  ...openPaths,
  ...ownerPaths.map((path) => path.replaceAll(/\$\w+/g, '1')),
  '/index.html',
  '/projects/7',
  '/contact?enviado=1',
  '/login?sin-enviar=1',
]

test.each(addresses)(
  'the policy of %s allows exactly what stands inline in it',
  async (address) => {
    const { allowed, inline } = await policyOf(await fetch(site.url + address))
    expect(allowed).toEqual(inline)
  },
)

test('so does that of a form that comes back, and of a page without code', async () => {
  const post = (fields: Readonly<Record<string, string>>, headers = {}) =>
    fetch(`${site.url}/contact`, { method: 'POST', body: new URLSearchParams(fields), headers })
  const faulty = await post({ name: '', email: 'ana@ejemplo.test', message: 'Hola' })
  expect(faulty.status).toBe(422)
  const redrawn = await policyOf(faulty)
  expect(redrawn.allowed).toEqual(redrawn.inline)
  const foreign = await post({}, { origin: 'https://otro.example' })
  expect(foreign.status).toBe(403)
  const refused = await policyOf(foreign)
  expect(refused.allowed['style-src']).toEqual(refused.inline['style-src'])
  expect(refused.inline['style-src']).not.toEqual([])
})

test('what stands in no page of ours is allowed nothing inline', async () => {
  for (const path of ['/sw.js', '/manifest.webmanifest', '/robots.txt', '/cv.pdf', '/icon.svg']) {
    const { headers } = await fetch(site.url + path)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(headers.get('content-security-policy')).not.toContain('sha256')
  }
})

test('a drawing of the title is inert on the wire, and nothing more is said of it', async () => {
  const [, address = ''] =
    /src="(\/api\/typing[^"]+)"/.exec(await (await fetch(site.url)).text()) ?? []
  const { headers, status } = await fetch(site.url + address.replaceAll('&amp;', '&'))
  expect([status, headers.get('content-encoding')]).toEqual([200, 'gzip'])
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  for (const name of ['referrer-policy', 'permissions-policy', 'cross-origin-opener-policy']) {
    expect(headers.has(name)).toBe(false)
  }
})
