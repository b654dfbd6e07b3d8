import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { startListener } from '#tests/support/listener.ts'
import { pageTemplate } from '#tests/support/page-template.ts'

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policyOf = (answer: Response) => {
  const directives = (answer.headers.get('content-security-policy') ?? '').split('; ')
  return Object.fromEntries(
    directives.map((text) => [text.replace(/ .*/, ''), text.replace(/^\S+ ?/, '')]),
  )
}

test.each([
  ['a page', '/', 200],
  ['an unknown address', '/nada', 404],
  ['the bare page', '/index.html', 200],
  ['the worker', '/sw.js', 200],
  ['the sitemap', '/sitemap.xml', 200],
  ['a call', '/api/person', 200],
  ['a picture', '/media/x.webp', 200],
  ['a refused method', '/about', 405],
  ['a redirect', '/about/', 308],
] as const)('%s carries the security headers', async (_, path, status) => {
  const { url } = await startListener({ files: { 'sw.js': 'let a' } })
  const method = status === 405 ? 'DELETE' : 'GET'
  const answer = await fetch(url + path, { method, redirect: 'manual' })
  expect(answer.status).toBe(status)
  expect(Object.fromEntries(answer.headers)).toMatchObject(everywhere)
  expect(answer.headers.get('permissions-policy')).toContain('camera=()')
  expect(policyOf(answer)).toMatchObject({ 'default-src': "'none'", 'frame-ancestors': "'none'" })
  expect(answer.headers.has('server') || answer.headers.has('x-powered-by')).toBe(false)
  expect(answer.headers.has('set-cookie')).toBe(false)
})

test.each(['assets/a-12345678.js', 'assets/a-12345678.css', 'assets/a.woff2', 'og.png'])(
  'what governs documents is not said of %s, which can do nothing as one',
  async (path) => {
    const { url } = await startListener({ files: { [path]: 'let a' } })
    const { headers } = await fetch(`${url}/${path}`)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('strict-transport-security')).toContain('max-age=')
    const documents =
      /^(?:content-security|permissions|referrer|cross-origin-opener|cross-origin-embedder)-/
    expect([...headers.keys()].filter((name) => documents.test(name))).toEqual([])
  },
)

test('a current copy is answered with the security headers too', async () => {
  const { url } = await startListener()
  const etag = (await fetch(url)).headers.get('etag') ?? ''
  const answer = await fetch(url, { headers: { 'if-none-match': etag } })
  expect(answer.status).toBe(304)
  expect(Object.fromEntries(answer.headers)).toMatchObject(everywhere)
})

test('pages allow the scripts and styles of the template by their hashes and no others', async () => {
  const { url } = await startListener()
  const policy = policyOf(await fetch(url))
  expect(policy).toMatchObject({
    'script-src': `'self' ${hash('document.title')}`,
    'style-src': `'self' ${hash('body{margin:0}')}`,
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'connect-src': "'self'",
    'require-trusted-types-for': "'script'",
  })
  expect(JSON.stringify(policy)).not.toMatch(/unsafe/)
})

test('of what was drawn into a page nothing is allowed', async () => {
  const { url } = await startListener({
    render: async () => ({
      status: 200,
      app: '<main><script>alert()</script><style>main{color:red}</style></main>',
      state: '{}',
    }),
  })
  const answer = await fetch(url)
  expect(await answer.clone().text()).toContain('alert()')
  expect(policyOf(answer)).toMatchObject({
    'script-src': `'self' ${hash('document.title')}`,
    'style-src': `'self' ${hash('body{margin:0}')}`,
  })
})

test('hosts the build was told to call may be called', async () => {
  const named = '<link rel="dns-prefetch" href="https://forms.example"></head>'
  const { url } = await startListener({ template: pageTemplate.replace('</head>', named) })
  expect(policyOf(await fetch(url))['connect-src']).toBe("'self' https://forms.example")
})

test('over plain http nothing promises https', async () => {
  const { url } = await startListener({ publicUrl: 'http://localhost:3000' })
  const answer = await fetch(url)
  expect(answer.headers.has('strict-transport-security')).toBe(false)
  expect(policyOf(answer)).not.toHaveProperty('upgrade-insecure-requests')
})

test('a vector picture opened on its own is inert, and nothing more is said of it', async () => {
  const { url } = await startListener({ files: { 'icon.svg': '<svg/>' } })
  const answer = await fetch(`${url}/icon.svg`)
  expect(policyOf(answer)).toMatchObject({ 'default-src': "'none'", sandbox: '' })
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  const documents = /^(?:permissions|referrer|cross-origin-opener|cross-origin-embedder)-/
  expect([...answer.headers.keys()].filter((name) => documents.test(name))).toEqual([])
})
