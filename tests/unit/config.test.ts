import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tintero-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, text)
  return file
}

test('an empty environment is a whole configuration', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '0.0.0.0',
    dataDir: 'data',
    backupDir: 'data/backups',
    database: { engine: 'sqlite', file: join('data', 'tintero.sqlite') },
    publicUrl: 'http://localhost:3000',
    trustProxy: 0,
    sharedCacheS: 0,
    allowedOrigins: [],
    limits: {
      login: { limit: 10, windowMs: 900_000 },
      account: { limit: 100, windowMs: 3_600_000 },
      contact: { limit: 5, windowMs: 600_000 },
      contactTotal: { limit: 60, windowMs: 3_600_000 },
      uploads: { limit: 60, windowMs: 3_600_000 },
      writes: { limit: 600, windowMs: 600_000 },
      reads: { limit: 600, windowMs: 60_000 },
      posts: { limit: 60, windowMs: 60_000 },
      renewals: { limit: 60, windowMs: 60_000 },
      drawings: { limit: 30, windowMs: 60_000 },
      recover: { limit: 3, windowMs: 3_600_000 },
    },
    push: { subject: 'mailto:webmaster@localhost', notifyEveryMs: 3_600_000 },
  })
})

test('the capitals of a host mean nothing: browsers name it without', () => {
  const { publicUrl, allowedOrigins } = readConfig({
    PUBLIC_URL: 'HTTPS://Lucia.Example/',
    ALLOWED_ORIGINS: 'https://A.example',
  })
  expect([publicUrl, ...allowedOrigins]).toEqual(['https://lucia.example', 'https://a.example'])
})

test('what is set is taken', () => {
  const config = readConfig({
    PORT: '8080',
    DATA_DIR: '/srv/site',
    PUBLIC_URL: 'https://lucia.example/',
    TRUST_PROXY: '2',
    ALLOWED_ORIGINS: 'https://a.example, http://b.example:81',
    OWNER_EMAIL: 'ana@example.com',
    OWNER_PASSWORD: ' with spaces ',
    LIMIT_CONTACT: '7/60',
  })
  expect(config).toMatchObject({
    port: 8080,
    database: { engine: 'sqlite', file: '/srv/site/tintero.sqlite' },
    publicUrl: 'https://lucia.example',
    trustProxy: 2,
    allowedOrigins: ['https://a.example', 'http://b.example:81'],
    owner: { userName: 'ana@example.com', password: ' with spaces ' },
    limits: { contact: { limit: 7, windowMs: 60_000 } },
  })
})

test('an empty variable counts as absent', () => {
  expect(readConfig({ PORT: '', PUBLIC_URL: ' ', OWNER_EMAIL: '', ALLOWED_ORIGINS: ',' })).toEqual(
    readConfig({}),
  )
})

test('a secret may stand in a file, whose last line break does not belong to it', () => {
  const config = readConfig({
    OWNER_EMAIL: 'ana@example.com',
    OWNER_PASSWORD_FILE: fileWith('secreto \n'),
    DATABASE_URL_FILE: fileWith('postgres://a@b/c\n'),
  })
  expect(config.owner?.password).toBe('secreto ')
  expect(config.database).toEqual({ engine: 'postgres', url: 'postgres://a@b/c' })
})

test('everything wrong is listed at once, without the secrets', () => {
  const env = {
    PORT: '70000',
    DATABASE_URL: 'mysql://root:geheim@host/db',
    PUBLIC_URL: 'https://lucia.example/folder',
    TRUST_PROXY: 'yes',
    ALLOWED_ORIGINS: '*',
    OWNER_PASSWORD: 'geheim',
    LIMIT_READS: '0/60',
  }
  for (const name of [
    'PORT',
    'DATABASE_URL',
    'PUBLIC_URL',
    'TRUST_PROXY',
    'ALLOWED_ORIGINS',
    'OWNER_EMAIL',
    'LIMIT_READS',
  ]) {
    expect(() => readConfig(env)).toThrow(name)
  }
  expect(() => readConfig(env)).not.toThrow('geheim')
  // In her language: each line but the first names a variable and says what it must be.
  expect(() => readConfig(env)).toThrow(
    /^La configuración no se puede usar\. [^\n]+(?:\n- [A-Z_, ]+ (?:debe |van juntas)[^\n]+){7}$/,
  )
})

test('a secret given twice, or in a file that is not there, is named', () => {
  const file = fileWith('secreto')
  const twice = { OWNER_EMAIL: 'a@b.c', OWNER_PASSWORD: 'x', OWNER_PASSWORD_FILE: file }
  expect(() => readConfig(twice)).toThrow('OWNER_PASSWORD y OWNER_PASSWORD_FILE se excluyen')
  const missing = { OWNER_EMAIL: 'a@b.c', OWNER_PASSWORD_FILE: `${file}.gone` }
  expect(() => readConfig(missing)).toThrow('OWNER_PASSWORD_FILE no se puede leer (no existe)')
})

test('how a shared cache is told of changes is read as one call', () => {
  const own = { SHARED_CACHE: '3600', SHARED_CACHE_PURGE: 'http://127.0.0.1:6081/' }
  expect(readConfig(own).purge).toEqual({
    method: 'PURGE',
    url: 'http://127.0.0.1:6081/',
    headers: {},
  })
  const cdn = {
    SHARED_CACHE: '3600',
    SHARED_CACHE_PURGE: 'POST https://cdn.example.com/purge',
    SHARED_CACHE_PURGE_HEADER: 'Authorization: Bearer a: b',
    SHARED_CACHE_PURGE_BODY: '{"purge_everything":true}',
  }
  expect(readConfig(cdn).purge).toEqual({
    method: 'POST',
    url: 'https://cdn.example.com/purge',
    headers: { Authorization: 'Bearer a: b', 'Content-Type': 'application/json' },
    body: '{"purge_everything":true}',
  })
})

test.each([
  [{ SHARED_CACHE_PURGE: 'http://a/' }, 'SHARED_CACHE_PURGE necesita SHARED_CACHE'],
  [
    { SHARED_CACHE: '0', SHARED_CACHE_PURGE: 'http://a/' },
    'SHARED_CACHE_PURGE necesita SHARED_CACHE',
  ],
  [{ SHARED_CACHE: '1', SHARED_CACHE_PURGE: 'GET http://a/' }, 'SHARED_CACHE_PURGE debe ser'],
  [{ SHARED_CACHE: '1', SHARED_CACHE_PURGE: 'http://[' }, 'SHARED_CACHE_PURGE debe ser'],
  [{ SHARED_CACHE: '1', SHARED_CACHE_PURGE: 'http://a:b@c/' }, 'SHARED_CACHE_PURGE debe ser'],
  [{ SHARED_CACHE_PURGE_HEADER: 'A: b' }, 'SHARED_CACHE_PURGE_HEADER necesita SHARED_CACHE_PURGE'],
  [{ SHARED_CACHE: '1', SHARED_CACHE_PURGE: 'varnish' }, 'SHARED_CACHE_PURGE debe ser'],
  [{ SHARED_CACHE_PURGE_BODY: '{' }, 'SHARED_CACHE_PURGE_BODY debe ser JSON'],
])('%o stops the start', (env, word) => {
  expect(() => readConfig(env)).toThrow(word)
})

test.each([
  [{ NOTIFY_EVERY: '60' }, 60_000],
  [{ RING_EVERY: '120' }, 120_000],
  [{ NOTIFY_EVERY: '0', RING_EVERY: '120' }, 0],
])('what %j says of notifications counts, by the new name before the old one', (env, ms) => {
  expect(readConfig(env).push.notifyEveryMs).toBe(ms)
})
