import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { copiedPage, copiedSheet } from '#server/export/copied-page.ts'

const known = ['/', '/about', '/a.css', '/a.svg', '/media/a.webp', '/media/a-320.webp']

/** The files of a small copy, and one of its pages. */
function copy(body: string, more: Partial<Parameters<typeof copiedPage>[1]> = {}, head = '') {
  const document = `<!doctype html><html data-theme="dark" data-start="now"><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`
  return copiedPage(document, {
    file: 'about/index.html',
    fileOf: (address) => {
      if (!known.includes(address)) return undefined
      return address.endsWith('/') || !address.includes('.')
        ? `${address.slice(1)}/index.html`.replace(/^\//, '')
        : address.slice(1)
    },
    contact: { is: 'link', href: 'mailto:a@b.example' },
    email: 'a@b.example',
    ...more,
  })
}

const bodyOf = (html: string) => /<body>(.*)<\/body>/s.exec(html)?.[1]
const policyOf = (html: string) => /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]

test('addresses of the site become those of files beside the page', () => {
  expect(bodyOf(copy('<a href="/">a</a><a href="/about#b">b</a><img src="/a.svg">'))).toBe(
    '<a href="../index.html">a</a><a href="index.html#b">b</a><img src="../a.svg">',
  )
  expect(bodyOf(copy('<a href="/about">a</a>', { root: '/x/' }))).toBe(
    '<a href="/x/about/index.html">a</a>',
  )
})

test('addresses of other sites and places on the page stay', () => {
  const body =
    '<a href="https://a.example/b">a</a><a href="#c">c</a><a href="mailto:d@e.example">d</a><a href="//f.example">f</a>'
  expect(bodyOf(copy(body))).toBe(body)
})

test('an address that the copy has nothing behind leads nowhere', () => {
  expect(bodyOf(copy('<a href="/login">a</a><img src="/media/gone.webp">'))).toBe('<a>a</a><img>')
})

test('a link that saves goes only where its file is missing, and one that carries what it saves stays', () => {
  const card = '<a href="data:text/vcard,BEGIN" download="Lucía.vcf">a</a>'
  expect(bodyOf(copy(`<p>${card}<a href="/cv.pdf" download="">b</a></p>`))).toBe(`<p>${card}</p>`)
  expect(bodyOf(copy('<a href="/a.svg#b" download="">a</a>'))).toBe(
    '<a href="../a.svg#b" download="">a</a>',
  )
})

test('of a picture those widths stay that are there', () => {
  const set = '/media/a-320.webp 320w, /media/a-640.webp 640w, /media/a.webp 900w'
  expect(bodyOf(copy(`<img src="/media/a.webp" srcset="${set}">`))).toBe(
    '<img src="../media/a.webp" srcset="../media/a-320.webp 320w, ../media/a.webp 900w">',
  )
})

test('scripts go, what they would start from too; what search engines read stays', () => {
  const data = '<script type="application/ld+json">{"a":1}</script>'
  const html = copy(
    '<p>a</p><!--b--><script id="state" type="application/json">{}</script><script type="module" src="/a.js"></script>',
    {},
    `${data}<script>c()</script><link rel="manifest" href="/manifest.webmanifest"><link rel="dns-prefetch" href="https://d.example">`,
  )
  expect(bodyOf(html)).toBe('<p>a</p>')
  expect(html).toContain(data)
  expect(html).not.toMatch(/manifest|prefetch|data-start|c\(\)/)
})

test('a button stays where the browser answers it, and no line is left over', () => {
  const body =
    '<button type="button" popovertarget="mas">a</button><div><p>b</p><hr><button type="button" data-theme-toggle>c</button></div>'
  expect(bodyOf(copy(body))).toBe(
    '<button type="button" popovertarget="mas">a</button><div><p>b</p></div>',
  )
})

test('what copied the e-mail address leads to it; without one it goes', () => {
  const button = '<button type="button"><svg><use href="#i-copy"></use></svg>Copiar correo</button>'
  expect(bodyOf(copy(button))).toBe(
    '<a href="mailto:a@b.example"><svg class="icon" aria-hidden="true"><use href="#i-mail"></use></svg><span>a@b.example</span></a>',
  )
  expect(bodyOf(copy(button, { email: '' }))).toBe('')
})

const form =
  '<form class="card form" method="post" action="/contact" novalidate=""><input name="name"><button type="submit"><b>Enviar</b></button></form>'

test('the form becomes a link, or goes to a service that the policy names', () => {
  expect(bodyOf(copy(form))).toBe(
    '<p class="card form"><a class="btn" href="mailto:a@b.example"><b>Enviar</b></a></p>',
  )
  const sent = copy(form, { contact: { is: 'form', action: 'https://f.example/x' } })
  expect(bodyOf(sent)).toBe(
    '<form class="card form" method="post" action="https://f.example/x"><input name="name"><button type="submit"><b>Enviar</b></button></form>',
  )
  expect(policyOf(sent)).toContain('form-action https://f.example')
  expect(policyOf(copy(form))).toContain("form-action 'none'")
})

test('the policy stands first, and allows the styles of the page and the pictures that are elsewhere', () => {
  const html = copy('<img src="https://p.example/a.png">', {}, '<style>a{b:url(/a.svg)}</style>')
  const style = 'a{b:url(../a.svg)}'
  expect(html).toContain(`<style>${style}</style>`)
  const hash = createHash('sha256').update(style).digest('base64')
  expect(policyOf(html)).toBe(
    `default-src 'none'; img-src 'self' file: data: https://p.example; style-src 'self' file: 'sha256-${hash}'; font-src 'self' file:; base-uri 'none'; form-action 'none'`,
  )
  expect(html).toMatch(/<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"/)
})

test("what text says stays text: nobody's words become markup", () => {
  const words = '<p title="&quot;&gt;">&lt;script&gt;a&lt;/script&gt; &amp; b</p>'
  expect(bodyOf(copy(words))).toBe(
    '<p title="&quot;&gt;">&lt;script&gt;a&lt;/script&gt; &amp; b</p>',
  )
})

test('without the script the theme is followed all the same', () => {
  const bar = '<meta name="theme-color" content="#051421">'
  const themed = (theme: string) =>
    copiedPage(`<html data-theme="${theme}"><head>${bar}</head><body></body></html>`, {
      file: 'index.html',
      fileOf: () => undefined,
      email: '',
    })
  expect(themed('dark')).toContain('content="#051421"')
  expect(themed('light')).toContain('content="#f6fbfb"')
  expect(themed('dark')).not.toContain('prefers-color-scheme')
  const device = themed('device')
  const [, sheet = ''] = /<style>(.*?)<\/style>/.exec(device) ?? []
  expect(sheet).toContain('prefers-color-scheme:light')
  expect(policyOf(device)).toContain(createHash('sha256').update(sheet).digest('base64'))
})

test('a sheet names files beside it', () => {
  const fileOf = (address: string) => (address === '/assets/a.woff2' ? address.slice(1) : undefined)
  const sheet = copiedSheet('a{src:url(/assets/a.woff2)}b{c:url("data:x")}d{e:url(/gone.png)}', {
    file: 'assets/a.css',
    fileOf,
  })
  expect(sheet).toBe('a{src:url(a.woff2)}b{c:url("data:x")}d{e:url(/gone.png)}')
})
