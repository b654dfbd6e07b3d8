import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { fromBufferPromise } from 'yauzl'
import { expect, onTestFinished, test } from 'vitest'
import type { ProblemBody } from '#contract/problem.ts'
import { cvPdfPath } from '#contract/resume/resume-calls.ts'
import { project } from '#contract/sections/project.ts'
import { siteCopyCall, siteCopyName, type SiteCopyLink } from '#contract/site-copy.ts'
import { fill, locale } from '#contract/text.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { copyLacksTexts } from '#contract/texts/copy-lacks.ts'
import { siteCopyTexts } from '#contract/texts/site-copy.ts'
import { createApp } from '#server/api/app.ts'
import { createEntry } from '#server/db/entries.ts'
import { updatePerson } from '#server/db/person.ts'
import { writeSettings } from '#server/db/settings.ts'
import { storeAnswer } from '#server/edge/stored-answer.ts'
import type { PictureFiles } from '#server/images/picture-files.ts'
import { contactPath } from '#server/pages/form-mark.ts'
import { parseTemplate } from '#server/pages/template.ts'
import { unavailable } from '#server/problem.ts'
import type { CvPdf } from '#server/resume/cv-pdf.ts'
import { openApp } from '#tests/support/app.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { pageTemplate } from '#tests/support/page-template.ts'

const sheet = storeAnswer({
  status: 200,
  headers: [],
  body: Buffer.from('a{}'),
  compressible: true,
})

const address = `/api/${siteCopyCall}/${siteCopyName}`

type Store = Pick<PictureFiles, 'isRemote' | 'list' | 'read'>

/** A site whose pages lead to the CV where there is one, and show these pictures and a form. */
async function openCopied(drawCv: CvPdf, pictures: readonly string[] = [], store?: Store) {
  const { services: own, token, events, db } = await openApp()
  const services = { ...own, pictureFiles: { ...own.pictureFiles, ...store } }
  const template = parseTemplate(
    pageTemplate.replace('</head>', '<link rel="stylesheet" href="/assets/a.css"></head>'),
  )
  const render = async () => ({
    status: 200,
    app: [
      `<a href="${cvPdfPath}">CV</a>`,
      ...pictures.map((src) => `<img src="${src}">`),
      `<form action="${contactPath}" method="post"><button type="submit">Enviar</button></form>`,
    ].join(''),
    state: '{}',
  })
  const app = createApp(services, {
    copied: {
      drawing: () => ({ template, render }),
      statics: { find: (path) => (path === '/assets/a.css' ? sheet : undefined) },
      drawCv,
    },
  })
  return { app, token, events, db, publicUrl: services.config.publicUrl }
}

type Copied = Awaited<ReturnType<typeof openCopied>>

/** The files of the ZIP, by their names. */
async function filesOf(response: Response): Promise<ReadonlyMap<string, string>> {
  const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()))
  const files = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, String(await buffer(await zip.openReadStreamPromise(entry))))
  }
  return files
}

/** The copy that the owner downloads, by the names of its files. */
async function download(drawCv: CvPdf) {
  const { app, token, events } = await openCopied(drawCv)
  const response = await app.request(address, { headers: { authorization: `Bearer${token}` } })
  return { names: [...(await filesOf(response)).keys()], events }
}

/** What is answered to whoever asks for a copy that is so. */
function askFor({ app, token }: Pick<Copied, 'app' | 'token'>, wish: object) {
  return app.request(`/api/${siteCopyCall}/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer${token}` },
    body: JSON.stringify(wish),
  })
}

/** The copy that a browser saves, and what its owner is told of it. */
async function made(site: Pick<Copied, 'app' | 'token'>, wish: object) {
  const { path, lacks } = (await (await askFor(site, wish)).json()) as SiteCopyLink
  return { files: await filesOf(await site.app.request(`/api/${path}`)), lacks }
}

const drawn: CvPdf = async () => Buffer.from('%PDF-')

test('a copy has the CV as a file', async () => {
  const { names, events } = await download(drawn)
  expect(names).toContain('cv.pdf')
  expect(events.filter(({ event }) => String(event).startsWith('copy-'))).toEqual([])
})

test('a CV that cannot be drawn leaves the copy without it, and is told', async () => {
  const { names, events } = await download(() => Promise.reject(new Error('odd letters')))
  expect(names).toEqual(expect.arrayContaining(['index.html', 'cv/index.html', 'resume.json']))
  expect(names).not.toContain('cv.pdf')
  expect(events).toContainEqual({ event: 'copy-without-cv', error: 'Error: odd letters' })
})

test('a copy is refused with what it needs, also at an address that is over', async () => {
  const { app } = await openCopied(drawn)
  for (const query of ['', `?ticket=${'x'.repeat(43)}`]) {
    const { status, headers } = await app.request(address + query)
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  }
})

test('a copy that nobody waits for any more breaks off and makes room for another', async () => {
  const { app, token } = await openCopied(drawn)
  const ask = () => app.request(address, { headers: { authorization: `Bearer${token}` } })
  const thrown: unknown[] = []
  const hear = (error: unknown) => void thrown.push(error)
  process.on('uncaughtException', hear)
  onTestFinished(() => void process.off('uncaughtException', hear))
  for (let place = 0; place < 3; place++) {
    const { status, body } = await ask()
    expect(status).toBe(200)
    await body?.cancel()
    await wait(100)
  }
  const { status, body } = await ask()
  const reader = body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await wait(100)
  expect([status, (await ask()).status, thrown]).toEqual([200, 200, []])
})

test('a copy is for the address and leads to the contact that its owner chooses', async () => {
  const addresses: unknown[] = []
  const site = await openCopied(async (_site, _date, place) => {
    addresses.push(place)
    return Buffer.from('%PDF-')
  })
  const { publicUrl } = site
  await writeSettings(site.db, { email: 'lucia@example.com' })
  const usual = await made(site, {})
  expect([...usual.files.keys()]).not.toContain('CNAME')
  expect(usual.files.get('contact/index.html')).toContain('href="mailto:lucia@example.com"')
  const service = 'https://formularios.example/lucia'
  const chosen = { address: ' lucia.example/ ', contact: 'service', service }
  const { files, lacks } = await made(site, chosen)
  expect(lacks).toBeUndefined()
  expect(files.get('CNAME')).toBe('lucia.example\n')
  expect(files.get('sitemap.xml')).toContain('<loc>https://lucia.example/about</loc>')
  expect(files.get('contact/index.html')).toContain(`<form action="${service}"`)
  expect(addresses).toEqual([publicUrl, 'https://lucia.example'])
  const live = await made(site, { address: '', contact: 'server', service })
  expect(live.files.get('contact/index.html')).toContain(`href="${publicUrl}/contact"`)
  const none = await made(site, { contact: 'none' })
  expect(none.files.get('contact/index.html')).not.toMatch(/mailto:|formularios/)
})

test('a copy is made once, and made anew where another process is asked for it', async () => {
  const seen: unknown[] = []
  const site = await openCopied(async () => {
    seen.push('drawn')
    return Buffer.from('%PDF-')
  })
  const answer = await askFor(site, { address: 'https://lucia.example', contact: 'none' })
  const { path } = (await answer.json()) as SiteCopyLink
  const first = await filesOf(await site.app.request(`/api/${path}`))
  expect(seen).toEqual(['drawn'])
  const again = await filesOf(await site.app.request(`/api/${path}`))
  expect(seen).toEqual(['drawn', 'drawn'])
  expect(again).toEqual(first)
})

test('what cannot be is refused with its field', async () => {
  const site = await openCopied(drawn)
  await writeSettings(site.db, { email: '' })
  const faultsOf = async (wish: object) => {
    const answer = await askFor(site, wish)
    return { status: answer.status, errors: ((await answer.json()) as ProblemBody).errors }
  }
  const refused = (pointer: string, mensaje: string) => ({
    status: 422,
    errors: [{ pointer, mensaje }],
  })
  for (const place of ['lucia', 'https://lucia.example/?a=b', 'javascript:alert(1)']) {
    expect(await faultsOf({ address: place })).toEqual(refused('/address', siteCopyTexts.noAddress))
  }
  expect(await faultsOf({ contact: 'paloma' })).toEqual(
    refused('/contact', siteCopyTexts.noContact),
  )
  expect(await faultsOf({ contact: 'mail' })).toEqual(refused('/contact', siteCopyTexts.noMail))
  for (const service of ['http://a.example', 'https://', "javascript:alert('x')"]) {
    expect(await faultsOf({ contact: 'service', service })).toEqual(
      refused('/service', siteCopyTexts.noService),
    )
  }
  expect(await faultsOf({ contact: 'service' })).toEqual(refused('/service', fieldErrors.required))
  const headers = { authorization: `Bearer${site.token}` }
  expect((await site.app.request(`${address}?contact=paloma`, { headers })).status).toBe(422)
})

test('whoever asks for a copy is told which pictures and that the CV is not in it, and so does the copy', async () => {
  const portrait = `/media/${'0'.repeat(40)}.1300x900.webp`
  const logo = `/media/${'1'.repeat(40)}.100x100.svg`
  const other = '/media/otra.png'
  const site = await openCopied(
    () => Promise.reject(new Error('odd letters')),
    [portrait.replace('.webp', '-640.webp'), logo, other],
  )
  await updatePerson(site.db, { patch: { image: portrait } })
  await createEntry(site.db, project, {
    values: completeValues(project, { name: 'Radio de barrio', image: logo }),
  })
  const { files, lacks = '' } = await made(site, {})
  const names = new Intl.ListFormat(locale).format([
    copyLacksTexts.portrait,
    fill(copyLacksTexts.pictureOf, { title: 'Radio de barrio', section: project.title }),
    other,
  ])
  const told = [
    fill(copyLacksTexts.pictureMany, { n: 3, names }),
    copyLacksTexts.advice,
    copyLacksTexts.cv,
  ]
  expect(lacks).toBe(told.join(' '))
  expect([...files][0]).toEqual([copyLacksTexts.file, `${told.join('\n')}\n`])
  const whole = await made(await openCopied(drawn), {})
  expect(whole.lacks).toBeUndefined()
  expect([...whole.files.keys()]).not.toContain(copyLacksTexts.file)
})

test('the notice names the first five pictures, the file in the copy all', async () => {
  const logos = Array.from({ length: 7 }, (_, n) => `/media/${String(n).repeat(40)}.100x100.svg`)
  const site = await openCopied(drawn, logos)
  for (const [n, image] of logos.entries()) {
    const values = completeValues(project, { name: `Obra ${n}`, image })
    await createEntry(site.db, project, { values })
  }
  const { files, lacks = '' } = await made(site, {})
  const told = files.get(copyLacksTexts.file) ?? ''
  expect(told.match(/Obra \d/g)?.toSorted()).toEqual(logos.map((_, n) => `Obra ${n}`))
  expect(lacks.match(/Obra \d/g)).toHaveLength(5)
  expect(lacks).toContain(` y ${fill(copyLacksTexts.further, { n: 2 })}`)
})

/** A store that has these pictures, and reads them so. */
function storeOf(addresses: readonly string[], read: Store['read'], isRemote = false): Store {
  const names = addresses.map((one) => one.slice('/media/'.length))
  return { isRemote, list: async () => names.map((name) => ({ name, at: new Date() })), read }
}

const bytesOf = async (name: string) => new TextEncoder().encode(name)

const logos = (n: number) =>
  Array.from({ length: n }, (_, i) => `/media/${String(i).padStart(40, '0')}.100x100.svg`)

async function withLogos(store: Store, addresses: readonly string[]) {
  const site = await openCopied(drawn, addresses, store)
  for (const [i, image] of addresses.entries()) {
    const values = completeValues(project, { name: `Obra ${i}`, image })
    await createEntry(site.db, project, { values })
  }
  return site
}

test('a picture that is listed and cannot be read is one that the copy lacks, and is told as such', async () => {
  const [fine = '', denied = '', gone = ''] = logos(3)
  const store = storeOf([fine, denied], (name) =>
    denied.endsWith(name)
      ? Promise.reject(Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }))
      : bytesOf(name),
  )
  const site = await withLogos(store, [fine, denied, gone])
  const { files, lacks = '' } = await made(site, {})
  const named = (i: number) =>
    fill(copyLacksTexts.pictureOf, { title: `Obra ${i}`, section: project.title })
  const told = [
    fill(copyLacksTexts.pictureOne, { names: named(2) }),
    copyLacksTexts.advice,
    fill(copyLacksTexts.unreadOne, { names: named(1) }),
    copyLacksTexts.unreadAdvice,
  ]
  expect(lacks).toBe(told.join(' '))
  expect([...files][0]).toEqual([copyLacksTexts.file, `${told.join('\n')}\n`])
  expect([...files.keys()].filter((name) => name.startsWith('media/'))).toEqual([fine.slice(1)])
  expect(files.get(fine.slice(1))).toBe(fine.slice('/media/'.length))
  // No page leads to what is not there.
  const page = files.get('index.html') ?? ''
  expect([fine, denied, gone].map((one) => page.includes(one.slice(1)))).toEqual([
    true,
    false,
    false,
  ])
  const logged = site.events.filter(({ event }) => String(event).startsWith('copy-'))
  expect(logged).toEqual([
    { event: 'copy-without-pictures', missing: 1 },
    { event: 'copy-pictures-unread', unread: 1, error: 'Error: EIO: i/o error, read' },
  ])
})

test('a picture that goes between the list and its reading is one that is missing', async () => {
  const all = logos(2)
  const [fine = '', gone = ''] = all
  const store = storeOf(all, async (name) => (gone.endsWith(name) ? undefined : bytesOf(name)))
  const { files, lacks = '' } = await made(await withLogos(store, all), {})
  expect(lacks).toContain(copyLacksTexts.pictureOne.split('{')[0])
  expect([...files.keys()].filter((name) => name.startsWith('media/'))).toEqual([fine.slice(1)])
})

test('a few answers that a storage service cuts are told, and a service that is down refuses the copy', async () => {
  const all = logos(60)
  const cut = new Set(all.slice(0, 7).map((one) => one.slice('/media/'.length)))
  const some = storeOf(all, async (name) => {
    if (cut.has(name)) throw unavailable(new Error('terminated'))
    return bytesOf(name)
  })
  const { files, lacks = '' } = await made(await withLogos(some, all), {})
  expect(lacks).toContain(fill(copyLacksTexts.unreadMany, { n: 7, names: '' }).split(':')[0])
  expect(files.get(copyLacksTexts.file)?.match(/Obra [0-6]»/g)).toHaveLength(7)
  expect([...files.keys()].filter((name) => name.startsWith('media/'))).toHaveLength(53)

  let asked = 0
  const down = storeOf(all, async () => {
    asked++
    throw unavailable(new Error('connect ECONNREFUSED'))
  })
  const answer = await askFor(await withLogos(down, all), {})
  expect(answer.status).toBe(503)
  // It is not asked for each.
  expect(asked).toBeLessThan(30)
})

test('a storage service is asked once for each picture, as far as the memory bears it', async () => {
  const all = logos(5)
  const asked: string[] = []
  const weighing = (bytes: number) =>
    storeOf(
      all,
      async (name) => {
        asked.push(name)
        return new Uint8Array(bytes)
      },
      true,
    )
  const small = await made(await withLogos(weighing(1000), all), {})
  expect(small.files.get(all[0]?.slice(1) ?? '')).toHaveLength(1000)
  expect(asked.toSorted()).toEqual(all.map((one) => one.slice('/media/'.length)))
  // Three of them are more than it keeps.
  asked.length = 0
  const large = await made(await withLogos(weighing(6_000_000), all), {})
  expect([...large.files].filter(([name]) => name.startsWith('media/'))).toHaveLength(5)
  expect(asked).toHaveLength(8)
})

test('a picture that fails only while the copy is saved breaks it off, and the log says why', async () => {
  const all = logos(2)
  let asked = 0
  const store = storeOf(all, async (name) => {
    if (++asked > all.length) throw unavailable(new Error('connect ECONNREFUSED'))
    return bytesOf(name)
  })
  const site = await withLogos(store, all)
  const { path, lacks } = (await (await askFor(site, {})).json()) as SiteCopyLink
  expect(lacks).toBeUndefined()
  const saved = await site.app.request(`/api/${path}`)
  // What came until then is no archive.
  await expect(saved.arrayBuffer()).rejects.toThrow('no-disponible')
  expect(site.events.filter(({ event }) => String(event).startsWith('copy-'))).toEqual([
    { event: 'copy-broke-off', error: 'Error: connect ECONNREFUSED' },
  ])
})
