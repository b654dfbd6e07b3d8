import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createApp } from '#server/api/app.ts'
import { openApp } from '#tests/support/app.ts'
import { startSite } from '#tests/support/listener.ts'
import { growing, growingJson, repeated, type Growing } from '#tests/support/hostile-texts.ts'
import { growsLinearly } from '#tests/support/linear.ts'

/* What anybody sends may cost the processor no more than in proportion to its length. */

const lengths = { body: [15_000, 60_000], head: [3_500, 14_000], taken: [2_400, 9_600] } as const
const plenty = '1000000/60'

type PlainInit = Omit<RequestInit, 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>
}

/** Where in a request the text stands. */
interface Place {
  readonly name: string
  readonly part: keyof typeof lengths
  readonly request: (text: string) => readonly [path: string, init: PlainInit]
}

/** A site with every place of it, and how to send a text there. */
async function openDoors() {
  const limits = ['LOGIN', 'ACCOUNT', 'CONTACT', 'CONTACT_TOTAL', 'WRITES', 'READS', 'POSTS']
  const env = Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, plenty]))
  const { services, token } = await openApp({ env: { ...env, TRUST_PROXY: '1' } })
  const drawn = { status: 200, app: '<form action="/contact"></form>', state: '{}' }
  const { url } = await startSite(services, async () => drawn)
  const strangers = createApp(services)
    .routes.filter(({ method }) => method !== 'ALL')
    .flatMap(placesOf)
  const owners = strangers.map((place) => asOwner(place, `Bearer${token}`))
  const places = [...strangers, ...owners, ...pagePlaces, taken]
  const send = async (place: Place, text: string) => {
    const [path, init] = place.request(text)
    const answer = await fetch(url + path, { redirect: 'manual', ...init })
    await answer.bytes()
  }
  const placeNamed = (name: string): Place => {
    const found = places.find((place) => place.name === name)
    if (!found) throw new Error(`no place ${name}`)
    return found
  }
  return {
    places,
    placeNamed,
    isLinear: (place: Place, text: Growing) => isLinearIn(send, place, text),
  }
}

type Send = (place: Place, text: string) => Promise<void>

const headerNames = [
  'accept-encoding',
  'authorization',
  'cookie',
  'content-type',
  'content-encoding',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'origin',
  'user-agent',
  'x-form-age',
  'x-form-extra',
  'x-forwarded-for',
]
const fieldNames = ['name', 'email', 'message', 'userName', 'password', 'token', 'label', 'image']
const someFields = Object.fromEntries(fieldNames.map((name) => [name, 'a@b.co']))
const json = { 'content-type': 'application/json' }

/** Texts travel in the address and in headers as far as either can carry them. */
const inAddress = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, 14_500)
const inHeader = (text: string) =>
  text.replace(/[^\x20-\x7e\xa0-\xff]/g, (letter) => (/\s/.test(letter) ? ' ' : '~'))

function placesOf({ method, path }: { readonly method: string; readonly path: string }): Place[] {
  const name = `${method} ${path}`
  const address = (text: string) => path.replace(/:\w+(?:\{.*\})?/g, inAddress(text) || '1')
  const hasBody = method === 'POST' || method === 'PUT'
  const small = hasBody ? { headers: json, body: '{}' } : {}
  const body = (made: (text: string) => string) => (text: string) =>
    [address('1'), { method, headers: json, body: made(text) }] as const
  return [
    {
      name: `${name} path`,
      part: 'head',
      request: (text) => [address(text), { method, ...small }],
    },
    {
      name: `${name} query`,
      part: 'head',
      request: (text) => [`${address('1')}?lines=${inAddress(text)}`, { method, ...small }],
    },
    ...headerNames.map((header): Place => ({
      name: `${name} ${header}`,
      part: 'head',
      request: (text) => {
        const headers = { ...small.headers, [header]: inHeader(text) }
        return [`${address('1')}?lines=a`, { method, ...small, headers }]
      },
    })),
    ...(hasBody
      ? [
          { name: `${name} JSON`, part: 'body', request: body((text) => text) } as const,
          ...fieldNames.map((field): Place => ({
            name: `${name} ${field}`,
            part: 'body',
            request: body((text) => JSON.stringify({ ...someFields, [field]: text })),
          })),
        ]
      : []),
  ]
}

function asOwner(place: Place, authorization: string): Place {
  return {
    ...place,
    name: `${place.name} as the owner`,
    request: (text) => {
      const [path, init] = place.request(text)
      return [path, { ...init, headers: { authorization, ...init.headers } }]
    },
  }
}

/** As much of the text as a form can carry, with its end. */
function inForm(text: string): string {
  const written = new URLSearchParams({ a: text }).toString().length
  const share = Math.min(1, lengths.body[1] / written)
  return text.slice(0, Math.floor(text.length * share)) + text.slice(-1)
}

const taken: Place = {
  name: 'POST /api/contact message that is taken',
  part: 'taken',
  request: (message) => {
    const body = JSON.stringify({ name: 'a', email: 'a@b.co', message })
    return ['/api/contact', { method: 'POST', headers: json, body }]
  },
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const pagePlaces: readonly Place[] = [
  { name: 'GET a page', part: 'head', request: (text) => [`/${inAddress(text)}`, {}] },
  {
    name: 'GET a page query',
    part: 'head',
    request: (text) => [`/contact?${inAddress(text)}`, {}],
  },
  { name: 'GET a picture', part: 'head', request: (text) => [`/media/${inAddress(text)}`, {}] },
  ...headerNames.map((header): Place => ({
    name: `GET a page ${header}`,
    part: 'head',
    request: (text) => ['/contact', { headers: { [header]: inHeader(text) } }],
  })),
  ...['name', 'email', 'message', 'website'].map((field): Place => ({
    name: `POST /contact ${field}`,
    part: 'body',
    request: (text) => {
      const fields = { name: 'a', email: 'a@b.co', message: 'a', [field]: inForm(text) }
      return ['/contact', { method: 'POST', headers: form, body: new URLSearchParams(fields) }]
    },
  })),
  {
    name: 'POST /contact form',
    part: 'body',
    request: (text) => ['/contact', { method: 'POST', headers: form, body: text }],
  },
]

/** Whether the place is linear in the text. */
function isLinearIn(send: Send, place: Place, { of }: Growing): Promise<boolean> {
  const [short, long] = lengths[place.part]
  const [shortText, longText] = [of(short), of(long)]
  return growsLinearly({
    none: () => send(place, ''),
    short: () => send(place, shortText),
    long: () => send(place, longText),
  })
}

const known: readonly (readonly [place: string, text: Growing])[] = [
  ['POST /api/contact name', repeated(' ', 'a', 'a')],
  ['POST /api/contact email', repeated(' ', 'a', 'a')],
  ['POST /api/contact message', repeated('\u0301', 'a')],
  ['POST /api/contact message', repeated('\u0323\u0301', 'a')],
  ['POST /api/auth/login userName', repeated('\u0301', 'a')],
  ['POST /api/auth/login userName', repeated('\u0323\u0301', 'a')],
  ['POST /api/auth/setup userName', repeated('\u0323\u0301', 'a')],
  ['POST /contact name', repeated(' ', 'a', 'a')],
  [taken.name, repeated('<a ')],
  [taken.name, repeated('\u0323\u0301', 'a')],
  ['GET /api/typing if-none-match', repeated(' ', 'a', 'a')],
]

test.each(known.map(([place, text]) => [place, text.name, text] as const))(
  '%s of %s costs in proportion to its length',
  async (name, _, text) => {
    const { placeNamed, isLinear } = await openDoors()
    expect(await isLinear(placeNamed(name), text)).toBe(true)
  },
)

test.each(growingJson.map((text) => [text.name, text] as const))(
  'JSON of %s costs in proportion to its length',
  async (_, text) => {
    const { placeNamed, isLinear } = await openDoors()
    expect(await isLinear(placeNamed('POST /api/contact JSON'), text)).toBe(true)
  },
)

test('no request costs more than in proportion to its length', async () => {
  const { places, isLinear } = await openDoors()
  const place = fc.nat().map((n) => places[n % places.length] as Place)
  await fc.assert(
    fc.asyncProperty(place, growing, async (where, text) => {
      if (!(await isLinear(where, text))) throw new Error(`${where.name}: ${text.name}`)
    }),
    { numRuns: 600, endOnFailure: true },
  )
})
