/** @module-tag long */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sections } from '#contract/sections/index.ts'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { createEntry, listEntries, removeEntry } from '#server/db/entries.ts'
import { writeSettings } from '#server/db/settings.ts'
import { seedSample } from '#server/db/sample.ts'
import { freshFolder, openForTest, openOld } from '#tests/support/database.ts'
import { runToEnd } from '#tests/support/run-to-end.ts'

/* `tintero export`, as the operator runs the built program. */

const publicUrl = 'http://localhost:4999'

/** A data folder with the sample in it. */
async function sampleSite() {
  const dataDir = await freshFolder()
  const { db } = await openForTest({ engine: 'sqlite', file: join(dataDir, 'tintero.sqlite') })
  await seedSample(db)
  return { dataDir, db }
}

function run(dataDir: string, ...words: readonly string[]) {
  return runWith({}, dataDir, ...words)
}

function runWith(
  env: Readonly<Record<string, string>>,
  dataDir: string,
  ...words: readonly string[]
) {
  const { status, stdout, stderr } = runToEnd(
    process.execPath,
    ['dist/server/cli.js', 'export', ...words],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PUBLIC_URL: publicUrl, ...env },
    },
  )
  return { status, out: stdout.trimEnd(), err: stderr.trimEnd() }
}

test('a folder gets the site, and the next copy takes away what is no more, and only that', async () => {
  const { dataDir, db } = await sampleSite()
  const before = (await listEntries(db, project)).length
  for (let n = before; n < 21; n++) await createEntry(db, project, { values: { name: `P ${n}` } })
  const folder = join(await freshFolder(), 'copia')
  const first = run(dataDir, folder)
  const seen = readdirSync(folder, { recursive: true, withFileTypes: true })
  const n = seen.filter((entry) => entry.isFile()).length - 1
  expect(first).toEqual({ status: 0, out: fill(cliTexts.exported, { n, folder }), err: '' })
  const hidden = join(folder, 'projects/index.html')
  expect(existsSync(hidden)).toBe(true)
  const second = join(folder, 'projects/2/index.html')
  expect(readFileSync(second, 'utf8')).toContain('href="../index.html"')
  expect(readFileSync(hidden, 'utf8')).toContain('href="2/index.html"')
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, '.git/HEAD'), 'a')
  writeFileSync(join(folder, 'propio.txt'), 'b')
  await writeSettings(db, { sections_hidden: 'proyect' })
  expect(run(dataDir, folder).status).toBe(0)
  expect([hidden, second].map((page) => existsSync(page))).toEqual([false, false])
  expect(readFileSync(join(folder, '.git/HEAD'), 'utf8')).toBe('a')
  expect(readFileSync(join(folder, 'propio.txt'), 'utf8')).toBe('b')
})

test('hosts of files are told which headers go with it, and to serve it as it is', async () => {
  const { dataDir } = await sampleSite()
  const folder = await freshFolder()
  expect(run(dataDir, folder).status).toBe(0)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const headers = read('_headers')
    .trimEnd()
    .split(/\n(?=\/)/)
    .map((part) => part.split('\n  '))
  const forever = 'Cache-Control: public, max-age=31536000, immutable'
  expect(headers).toEqual([
    [
      '/*',
      'X-Content-Type-Options: nosniff',
      'Referrer-Policy: strict-origin-when-cross-origin',
      'Permissions-Policy: camera=(), microphone=(), geolocation=(), payment=(), usb=()',
      "Content-Security-Policy: frame-ancestors 'none'",
    ],
    ['/assets/*', forever],
    ['/media/*', forever],
    ['/sw.js', 'Cache-Control: no-cache'],
  ])
  expect(read('.nojekyll')).toBe('')
})

test("a folder of somebody else's is left as it is, and a list that names files outside removes none", async () => {
  const { dataDir } = await sampleSite()
  const parent = await freshFolder()
  const folder = join(parent, 'web')
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.html'), 'mine')
  const { status, err } = run(dataDir, folder)
  expect({ status, err }).toEqual({ status: 1, err: fill(cliTexts.folderTaken, { folder }) })
  expect(readdirSync(folder)).toEqual(['index.html'])
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('mine')
  writeFileSync(join(parent, 'outside'), 'c')
  writeFileSync(join(folder, '.tintero'), `../outside\n${join(parent, 'outside')}\na/../../outside`)
  expect(run(dataDir, folder).status).toBe(0)
  expect(readFileSync(join(parent, 'outside'), 'utf8')).toBe('c')
})

test('an address chosen for the copy is named by its pages, and pages for missing ones count on it', async () => {
  const { dataDir } = await sampleSite()
  const folder = await freshFolder()
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  expect(run(dataDir, folder, '--address', 'https://lucia.example/').status).toBe(0)
  expect(read('CNAME')).toBe('lucia.example\n')
  expect(read('sitemap.xml')).toContain('<loc>https://lucia.example/about</loc>')
  expect(read('robots.txt')).toBe(
    'User-agent: *\nAllow: /\n\nSitemap: https://lucia.example/sitemap.xml\n',
  )
  expect(read('about/index.html')).toContain('rel="canonical" href="https://lucia.example/about"')
  expect(read('resume.json')).toContain('"url": "https://lucia.example/"')
  expect(read('404.html')).toContain('href="/index.html"')
  expect(run(dataDir, folder, '--address', 'https://lucia.github.io/cv').status).toBe(0)
  expect(existsSync(join(folder, 'CNAME'))).toBe(false)
  expect(read('404.html')).toContain('href="/cv/index.html"')
  expect(read('card/index.html')).toContain('lucia.github.io/cv')
  expect(read('about/index.html')).not.toContain(publicUrl)
})

test('what cannot be is said, with 1 and without a folder', async () => {
  const { dataDir, db } = await sampleSite()
  const folder = join(await freshFolder(), 'copia')
  const said = (...words: readonly string[]) => {
    const { status, out, err } = run(dataDir, folder, ...words)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    return err
  }
  for (const address of ['lucia.example', 'https://lucia.example/?a=b', 'javascript:alert(1)']) {
    expect(said('--address', address)).toBe(fill(cliTexts.noAddress, { address }))
  }
  for (const how of ['paloma', 'http://a.example', 'https://']) {
    expect(said('--contact', how)).toBe(fill(cliTexts.noContact, { how }))
  }
  await writeSettings(db, { email: '' })
  expect(said('--contact', 'mail')).toBe(fill(cliTexts.noContact, { how: 'mail' }))
  expect(existsSync(folder)).toBe(false)
})

test('without an e-mail address and a site that others reach, the form is closed and says so', async () => {
  const { dataDir, db } = await sampleSite()
  await writeSettings(db, { email: '', contact_disabled_text: 'Estoy de viaje.' })
  const folder = await freshFolder()
  expect(run(dataDir, folder).status).toBe(0)
  const page = readFileSync(join(folder, 'contact/index.html'), 'utf8')
  expect(page).toContain('Estoy de viaje.')
  expect(page).not.toContain('<form')
})

test('a notice that ends is left out, since nothing would take it away', async () => {
  const { dataDir, db } = await sampleSite()
  const folder = await freshFolder()
  const home = () => readFileSync(join(folder, 'index.html'), 'utf8')
  await writeSettings(db, { banner_text: 'De viaje' })
  run(dataDir, folder)
  expect(home()).toContain('De viaje')
  await writeSettings(db, { banner_until: '2999-01-01' })
  run(dataDir, folder)
  expect(home()).not.toContain('De viaje')
})

test('a title that another service draws is drawn here, and pictures that the site lacks are named', async () => {
  const { dataDir, db } = await sampleSite()
  await writeSettings(db, { typing_image_url: 'https://letras.example' })
  const [section] = sections
  if (!section) throw new Error('no section')
  const gone = `/media/${'a'.repeat(40)}.900x600.webp`
  const values = { [section.display.title]: 'Sin foto', image: gone }
  const { id } = await createEntry(db, section, { values })
  const folder = await freshFolder()
  const { status, err } = run(dataDir, folder)
  expect(status).toBe(1)
  expect(err).toContain(`${cliTexts.exportLacks.split('{n}')[0]}3 `)
  expect(err).toContain(gone)
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).not.toContain('letras.example')
  expect(readdirSync(join(folder, 'title')).length).toBeGreaterThan(1)
  await removeEntry(db, section, { id })
  expect(run(dataDir, folder).status).toBe(0)
})

/** A disk that does not give the pictures: no permission stops root. */
const brokenDisk = `
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
const real = fs.readFile
fs.readFile = async (path, ...rest) => {
  if (!String(path).includes('/media/')) return real(path, ...rest)
  throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
}
syncBuiltinESMExports()`

test('a picture that cannot be read is named, and the rest is written without it', async () => {
  const { dataDir, db } = await sampleSite()
  const file = `${'b'.repeat(40)}.100x100.svg`
  mkdirSync(join(dataDir, 'media'))
  writeFileSync(join(dataDir, 'media', file), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const image = `/media/${file}`
  await createEntry(db, project, { values: { name: 'Con logo', image } })
  const folder = await freshFolder()
  const options = `--import=data:text/javascript,${encodeURIComponent(brokenDisk)}`
  const broken = runWith({ NODE_OPTIONS: options }, dataDir, folder)
  const lacks = fill(cliTexts.exportUnread, { names: image, message: cliTexts.system.EIO })
  expect(broken).toEqual({ status: 1, out: '', err: expect.stringContaining(lacks) as string })
  expect(existsSync(join(folder, 'media'))).toBe(false)
  expect(readFileSync(join(folder, 'projects/index.html'), 'utf8')).not.toContain(file)
  expect(run(dataDir, folder).status).toBe(0)
  expect(existsSync(join(folder, 'media', file))).toBe(true)
})

test('where there is no site, or one of another version, nothing is made', async () => {
  const empty = join(await freshFolder(), 'data')
  const folder = join(await freshFolder(), 'copia')
  expect(run(empty, folder)).toEqual({ status: 1, out: '', err: cliTexts.noSite })
  expect(existsSync(empty)).toBe(false)
  const old = await freshFolder()
  const file = join(old, 'tintero.sqlite')
  const db = await openOld({ engine: 'sqlite', file }, '0005-life')
  await db.destroy()
  expect(run(old, folder)).toEqual({ status: 1, out: '', err: cliTexts.otherVersion })
  expect(existsSync(folder)).toBe(false)
})

test("a command is understood with npm's mark before its options, as the README has it", async () => {
  const { dataDir } = await sampleSite()
  const folder = join(await freshFolder(), 'copia')
  const written = run(dataDir, folder, '--', '--address', 'https://lucia.example')
  expect(written).toMatchObject({ status: 0, err: '' })
  expect(readFileSync(join(folder, 'CNAME'), 'utf8').trim()).toBe('lucia.example')
})

test('without a folder, with two, or with an option that is not its own it is not understood', async () => {
  const { dataDir } = await sampleSite()
  for (const words of [[], ['a', 'b'], ['a', '--force']])
    expect(run(dataDir, ...words).status).toBe(2)
  const backup = runToEnd(process.execPath, ['dist/server/cli.js', 'backup', '--contact', 'mail'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir },
  })
  expect(backup.status).toBe(2)
})
