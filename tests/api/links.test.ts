import { createServer, type RequestListener } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dayMs, hourMs } from '#contract/durations.ts'
import { calls } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { linksCall, type LinkStatus } from '#contract/links.ts'
import { project } from '#contract/sections/project.ts'
import { linkTexts } from '#contract/texts/links.ts'
import { fill } from '#contract/text.ts'
import { scheduleLooks } from '#server/links/guard.ts'
import { createLook, type Look, type Sight } from '#server/links/look.ts'
import { membersOf, openApp, type TestApp } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'
import { subscribe } from '#tests/doubles/push-recorder.ts'
import { owner } from '#tests/support/site.ts'

/** A server on loopback that stands for one on the internet. */
async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return listenOnLoopback(server)
}

/** Looks at hosts of a world of its own, in which names ending in `.casa` lead into a private network. */
function lookIn(resolved: string[] = [], withinMs = 2_000): Look {
  return createLook({
    resolve: async (host) => {
      resolved.push(host)
      return [host.endsWith('.casa') ? '10.0.0.1' : '127.0.0.1']
    },
    isAllowed: (address) => address === '127.0.0.1',
    withinMs,
  })
}

describe('a look at a link', () => {
  test.each([
    [200, 'alive'],
    [401, 'alive'],
    [403, 'alive'],
    [429, 'alive'],
    [999, 'alive'],
    [404, 'gone'],
    [410, 'gone'],
    [500, 'gone'],
    [503, 'gone'],
  ] satisfies [number, Sight][])('that is answered %i finds it %s', async (status, sight) => {
    const port = await listen((_, res) => void res.writeHead(status).end('x'.repeat(1e6)))
    expect(await lookIn()(`http://sitio.net:${port}/`)).toBe(sight)
  })

  test('takes the word of a whole request over that of one for the head alone', async () => {
    const port = await listen(({ method }, res) => {
      res.writeHead(method === 'GET' ? 200 : 501).end()
    })
    expect(await lookIn()(`http://sitio.net:${port}/`)).toBe('alive')
  })

  test('goes where it is led, looks each host up once, and stops going round', async () => {
    const resolved: string[] = []
    const port = await listen(({ url }, res) => {
      const to = { '/': `http://otro.net:${port}/fin`, '/rueda': '/rueda' }[url ?? '']
      res.writeHead(to ? 302 : 200, to ? { location: to } : {}).end()
    })
    expect(await lookIn(resolved)(`http://sitio.net:${port}/`)).toBe('alive')
    expect(resolved).toEqual(['sitio.net', 'otro.net'])
    expect(await lookIn()(`http://sitio.net:${port}/rueda`)).toBe('gone')
  })

  test('never enters a private network, by its name, its number or a redirect', async () => {
    let asked = 0
    const port = await listen(({ url }, res) => {
      asked++
      res.writeHead(url === '/' ? 200 : 307, { location: `http://nas.casa:${port}/` }).end()
    })
    const look = lookIn()
    expect(await look(`http://nas.casa:${port}/`)).toBe('unasked')
    expect(await createLook()(`http://127.0.0.1:${port}/`)).toBe('unasked')
    expect(await createLook()(`http://[::ffff:127.0.0.1]:${port}/`)).toBe('unasked')
    expect(await createLook()(`http://0x7f.1:${port}/`)).toBe('unasked')
    expect(await createLook()(`http://localhost:${port}/`)).toBe('unasked')
    expect(asked).toBe(0)
    expect(await look(`http://sitio.net:${port}/dentro`)).toBe('unasked')
    expect(asked).toBe(1)
  })

  test('ends in time when nobody answers, and asks nobody for what documents use as examples', async () => {
    const port = await listen(() => undefined)
    expect(await lookIn([], 200)(`http://sitio.net:${port}/`)).toBe('silent')
    const never = createLook({ resolve: () => new Promise(() => undefined), withinMs: 200 })
    expect(await never('https://sitio.net/')).toBe('silent')
    expect(await createLook()('https://example.com/demo')).toBe('unasked')
  })

  test('is over when the server goes on in another protocol', async () => {
    const port = await listen(({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
    })
    expect(await lookIn()(`http://sitio.net:${port}/`)).toBe('silent')
  })
})

/** A site with one project whose links a test answers for, and a device. */
async function openGuarded(engine: 'sqlite' | 'postgres') {
  const sights = new Map<string, Sight>()
  const asked: string[] = []
  const look: Look = async (href) => {
    asked.push(href)
    return sights.get(href) ?? 'alive'
  }
  const app = await openApp({ engine, look })
  await app.asOwner('POST', ownerCalls.devices, {
    body: { address: subscribe().address, label: 'Teléfono' },
  })
  const body = { ...completeValues(project), name: 'Feria cerca', repo: repoUrl, demo: demoUrl }
  const made = await app.asOwner('POST', 'proyect/create', { body })
  await scheduleLooks(app.db, app.services.now())
  app.pass(hourMs)
  const pass = async (days: number) => {
    for (let day = 0; day < days; day++) {
      app.pass(dayMs)
      await app.services.jobs.runDue()
    }
  }
  return { app, sights, asked, pass, id: String(membersOf(made)['id']) }
}

/** What of the 4096 bytes that a push service has to take its encryption leaves (RFC 8188 and 8291). */
const mostPushed = 4096 - 86 - 17

const repoUrl = 'https://codigo.net/feria'
const demoUrl = 'https://feria.net/'
/** A call by an owner who has just signed in: in this file weeks go by. */
async function asOwner(app: TestApp, method: string, path: string, body?: unknown) {
  const { token } = await app.services.auth.login({ ...owner, address: '' })
  return app.call(method, path, { body, headers: { authorization: `Bearer${token}` } })
}
const status = async (app: TestApp) => (await asOwner(app, 'GET', linksCall)).json as LinkStatus
const told = (app: TestApp) => app.pushes.sent.map(({ message }) => message)

describe.each(engines)('on %s', (engine) => {
  test('a link is dead after failing on three days, is told of once, and forgotten when it answers', async () => {
    const { app, sights, pass, id } = await openGuarded(engine)
    expect(await status(app)).toEqual({ dead: [], lookedAt: null })
    sights.set(demoUrl, 'gone')
    await pass(2)
    expect((await status(app)).dead).toEqual([])
    await pass(1)
    const place = { section: 'proyect', id, label: 'Demo', name: 'Feria cerca' }
    const { dead } = await status(app)
    expect(dead).toMatchObject([{ link: demoUrl, places: [place] }])
    expect(dead[0]?.since).toBe('2031-03-02T11:00:00.000Z')
    await pass(10)
    expect(told(app)).toMatchObject([
      { title: linkTexts.alarmOne, body: '«Demo» de Feria cerca', url: '/settings#datos' },
    ])
    sights.set(demoUrl, 'alive')
    await pass(1)
    expect((await status(app)).dead).toEqual([])
  })

  test('what no device takes is told again on the next days, three times at most', async () => {
    const { app, sights, pass } = await openGuarded(engine)
    sights.set(demoUrl, 'gone')
    const refused = { state: 'rejected', why: 'No.' } as const
    app.pushes.answers.push(refused)
    await pass(3)
    expect(told(app)).toHaveLength(1)
    await pass(5)
    expect(told(app)).toHaveLength(2)
    app.pushes.answers.push(refused, refused, refused, refused)
    sights.set(repoUrl, 'gone')
    await pass(20)
    expect(
      told(app)
        .slice(2)
        .map(({ body }) => body),
    ).toEqual(Array.from({ length: 3 }, () => '«Repo» de Feria cerca'))
  })

  test('without a device the news of a dead link waits for one', async () => {
    const { app, sights, pass } = await openGuarded(engine)
    await app.db.deleteFrom('device').execute()
    sights.set(demoUrl, 'gone')
    await pass(5)
    const { token } = await app.services.auth.login({ ...owner, address: '' })
    await app.call('POST', ownerCalls.devices, {
      body: { address: subscribe().address, label: 'Teléfono' },
      headers: { authorization: `Bearer${token}` },
    })
    await pass(3)
    expect(told(app)).toMatchObject([{ body: '«Demo» de Feria cerca' }])
  })

  test('a clock that was a year ahead ends the looks only until it is set right', async () => {
    const { app, asked, pass } = await openGuarded(engine)
    await pass(2)
    app.pass(365 * dayMs)
    await pass(8)
    app.pass(-375 * dayMs)
    const before = asked.length
    await app.services.jobs.runDue()
    expect(asked.length).toBeGreaterThan(before)
  })

  test('a start leaves the time of the looks as it is', async () => {
    const { app } = await openGuarded(engine)
    const dueAt = () => app.db.selectFrom('job').select('due_at').execute()
    await app.services.jobs.runDue()
    const due = await dueAt()
    app.pass(3_600_000)
    await scheduleLooks(app.db, app.services.now())
    expect(await dueAt()).toEqual(due)
  })

  test('one failed try is never an alarm, and neither is a line of ours that is down', async () => {
    const { app, sights, pass } = await openGuarded(engine)
    sights.set(demoUrl, 'gone')
    await pass(1)
    sights.set(demoUrl, 'alive')
    await pass(1)
    sights.set(demoUrl, 'gone')
    await pass(8)
    sights.set(demoUrl, 'alive')
    await pass(1)
    for (const url of [demoUrl, repoUrl]) sights.set(url, 'silent')
    await pass(20)
    expect((await status(app)).dead).toEqual([])
    expect(told(app)).toEqual([])
  })

  test('what stays silent while others answer is dead', async () => {
    const { app, sights, pass } = await openGuarded(engine)
    await pass(1)
    sights.set(demoUrl, 'silent')
    await pass(12)
    expect((await status(app)).dead).toHaveLength(1)
  })

  test('so it is where the first of the others are never asked', async () => {
    const { app, sights, pass } = await openGuarded(engine)
    const [one, two] = ['https://a.example.com/', 'https://b.example.com/']
    for (const url of [repoUrl, one, two]) sights.set(url, 'unasked')
    const body = { ...completeValues(project), name: 'Muestra', repo: one, demo: two }
    await app.asOwner('POST', 'proyect/create', { body })
    await app.asOwner('PUT', calls.config, { body: { github_url: 'github.com/lucia' } })
    await pass(1)
    sights.set(demoUrl, 'silent')
    await pass(12)
    expect((await status(app)).dead).toMatchObject([{ link: demoUrl }])
  })

  test('one notification tells of all that died, and well links are asked weekly', async () => {
    const { app, sights, asked, pass } = await openGuarded(engine)
    await app.asOwner('PUT', calls.config, { body: { github_url: 'github.com/lucia' } })
    await pass(14)
    expect(asked.filter((href) => href === 'https://github.com/lucia')).toHaveLength(2)
    for (const url of [demoUrl, repoUrl]) sights.set(url, 'gone')
    await pass(14)
    expect(told(app).map(({ title }) => title)).toEqual([fill(linkTexts.alarm, { n: 2 })])
  })

  test('however long the names are, what is told fits into what push services take', async () => {
    const { app, sights, pass } = await openGuarded(engine)
    const urls = ['https://uno.net/', 'https://dos.net/', 'https://tres.net/']
    for (const demo of urls) {
      sights.set(demo, 'gone')
      const body = { ...completeValues(project), demo }
      const made = membersOf(await app.asOwner('POST', 'proyect/create', { body }))
      // Only a new name is short by rule.
      const change = { body: { name: '🚀'.repeat(10_000) } }
      const path = `proyect/update/${String(made['id'])}`
      expect((await app.asOwner('PUT', path, change)).status).toBe(200)
    }
    await pass(4)
    const [message] = told(app)
    expect(message?.title).toBe(fill(linkTexts.alarm, { n: 3 }))
    expect(message?.body.match(/«Demo» de 🚀/gu)).toHaveLength(3)
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(mostPushed)
  })

  test('what no visitor sees is neither asked nor told', async () => {
    const { app, sights, asked, pass, id } = await openGuarded(engine)
    sights.set(demoUrl, 'gone')
    await pass(5)
    expect((await status(app)).dead).toHaveLength(1)
    await asOwner(app, 'PUT', calls.config, { sections_hidden: 'proyect' })
    expect((await status(app)).dead).toEqual([])
    const before = asked.length
    await pass(10)
    expect(asked).toHaveLength(before)
    await asOwner(app, 'PUT', calls.config, { sections_hidden: '' })
    await asOwner(app, 'PUT', `proyect/update/${id}`, { demo: 'https://nueva.net/' })
    await pass(1)
    expect((await status(app)).dead).toEqual([])
    expect(await app.db.selectFrom('link_look').select('link_hash').execute()).toHaveLength(2)
  })

  test('a great many links are looked at a few at a time, and the job outlives its errors', async () => {
    const { app, asked, pass } = await openGuarded(engine)
    for (let n = 0; n < 12; n++) {
      const body = { ...completeValues(project), name: `Obra ${n}`, demo: `https://obra-${n}.net/` }
      await app.asOwner('POST', 'proyect/create', { body })
    }
    await pass(1)
    expect(new Set(asked).size).toBe(15)
    const jobs = await app.db.selectFrom('job').select(['kind', 'attempts']).execute()
    expect(jobs).toEqual([{ kind: 'links', attempts: 0 }])
  })
})

test('only the owner reads how her links are', async () => {
  const { call } = await openApp()
  expect((await call('GET', linksCall)).status).toBe(401)
})
