import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { idempotencyHeader, replayedHeader } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import type { FieldValues } from '#contract/fields.ts'
import { project } from '#contract/sections/project.ts'
import type { Auth } from '#server/access/auth.ts'
import { listEntries } from '#server/db/entries.ts'
import { readPerson } from '#server/db/person.ts'
import { readSettings } from '#server/db/settings.ts'
import { sweepKeys } from '#server/db/idempotency-keys.ts'
import { beginLife } from '#server/db/life.ts'
import { openDb, type OpenedDb } from '#server/db/open.ts'
import type { TableRow } from '#server/db/tables.ts'
import { createApp } from '#server/api/app.ts'
import { assemble } from '#tests/support/app.ts'
import { begins, type Clock } from './clock.ts'

export interface SiteRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Blob | undefined
  /** The body stops coming in the middle. */
  readonly isCut?: boolean
}

export interface SiteAnswer {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  readonly redirected?: boolean
}

/** What the site holds of the things that histories change. */
export interface Content {
  /** Fields by `proyect/<id>` and `person`, in the server's order. */
  readonly rows: ReadonlyMap<string, FieldValues>
  readonly messages: readonly string[]
}

/** A write that the server carried out, with what was there before and after. */
export interface Applied {
  readonly method: string
  /** Below the API's base. */
  readonly path: string
  readonly body: string
  readonly key: string
  /** Who was signed in, by user name; empty for nobody. */
  readonly account: string
  readonly before: Content
  readonly after: Content
}

/** Whoever wants to know what the server does, in the moment it does it. */
export interface Follower {
  readonly applied: (write: Applied) => void
  /** A picture, by the name of the file it came from, is stored under this address. */
  readonly stored: (url: string, picture: string) => void
}

/** The owner, and whoever takes her place. */
export const accounts = [
  { userName: 'lucia@ejemplo.test', password: 'una frase larga y propia' },
  { userName: 'renata@ejemplo.test', password: 'otra frase larga y ajena' },
] as const

/** Signing in is not what histories are about, so it is hardly bounded. */
const env = { LIMIT_LOGIN: '1000/600', LIMIT_ACCOUNT: '1000/600', LIMIT_CONTACT: '20/600' }
const file = 'tintero.sqlite'

interface Running {
  readonly opened: OpenedDb
  readonly app: ReturnType<typeof createApp>
  readonly auth: Auth
}

async function run(folder: string, now: () => Date): Promise<Running> {
  const opened = await openDb({ engine: 'sqlite', file: join(folder, file) })
  // No history loses its machine's power: what a server has written is there for the next one.
  await sql`pragma synchronous = off`.execute(opened.db)
  const { services } = await assemble({ opened, dataDir: folder, env, now })
  return { opened, app: createApp(services), auth: services.auth }
}

/** A data folder with an owner, to be copied for every history. */
export async function freshData(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tintero-history-'))
  const { opened, auth } = await run(folder, () => new Date(begins))
  await auth.createOwner(accounts[0])
  await opened.close()
  return folder
}

export type Site = Awaited<ReturnType<typeof openSite>>

/** The product's calls on a data folder of their own, which can be stopped, started and put back to an earlier copy. */
export async function openSite(clock: Clock, data: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tintero-history-'))
  const place = join(folder, 'data')
  /** User names by their sessions' headers. */
  const sessions = new Map<string, string>()
  const owners = new Map<string, TableRow<'owner'>>()
  const backups: { readonly folder: string; readonly owner: string }[] = []
  let follower: Follower | undefined
  let clockOffMs = 0
  let owner: string = accounts[0].userName
  let running: Running | undefined
  const now = () => new Date(begins + clock.now() + clockOffMs)

  async function start(): Promise<void> {
    running ??= await run(place, now)
  }

  async function stop(): Promise<void> {
    const was = running
    running = undefined
    await was?.opened.close()
  }

  /** Does what the data must not be in use for. */
  async function whileStopped(work: () => Promise<void>): Promise<void> {
    const wasUp = running !== undefined
    await stop()
    await work()
    if (wasUp) await start()
  }

  /** What restoring a backup does, too: no version that was lost is given out again. */
  async function begin(): Promise<void> {
    await running?.opened.db.transaction().execute((t) => beginLife(t, now()))
  }

  async function answer(request: SiteRequest): Promise<SiteAnswer | 'broken'> {
    const { method, path, headers, body, isCut = false } = request
    if (!running) return 'broken'
    const { app, opened } = running
    const before = method === 'GET' ? undefined : await contentOf(opened)
    const sent = isCut ? cut(body) : body
    const account = sessions.get(headers['authorization'] ?? '') ?? ''
    const response = await app.request(path, {
      method,
      headers,
      ...(sent === undefined ? {} : { body: sent, duplex: 'half' }),
    })
    const text = await response.text()
    if (response.ok && path.endsWith(ownerCalls.login)) {
      sessions.set(`Bearer${memberOf(text, 'token')}`, memberOf(text, 'userName'))
    }
    if (response.ok && body instanceof Blob && !isCut) {
      follower?.stored(memberOf(text, 'url'), `p${/r="(\d+)"/.exec(await body.text())?.[1]}.svg`)
    }
    if (before && response.ok && !response.headers.has(replayedHeader)) {
      follower?.applied({
        method,
        path: path.replace('/api/', '').replace(/\?.*/, ''),
        body: typeof body === 'string' ? body : '',
        key: headers[idempotencyHeader.toLowerCase()] ?? '',
        account,
        before,
        after: await contentOf(opened),
      })
    }
    const told = Object.fromEntries(response.headers)
    return { status: response.status, type: '', body: text, headers: told }
  }

  async function changeOwner(): Promise<void> {
    if (!running) return
    const { db } = running.opened
    const [first, second] = accounts
    const next = owner === first.userName ? second : first
    const row = () => db.selectFrom('owner').selectAll().executeTakeFirstOrThrow()
    owners.set(owner, await row())
    for (const table of ['session', 'owner'] as const) await db.deleteFrom(table).execute()
    const earlier = owners.get(next.userName)
    // Whoever was here before comes back as the account that she was.
    if (earlier) await db.insertInto('owner').values(earlier).execute()
    else await running.auth.createOwner(next)
    owner = next.userName
    // An older copy of the data may not know her.
    owners.set(owner, await row())
  }

  await cp(data, place, { recursive: true })
  await start()
  return {
    isUp: () => running !== undefined,
    ownerName: () => owner,
    follow: (next: Follower) => {
      follower = next
    },
    start: () => clock.meanwhile(start()),
    stop: () => clock.meanwhile(stop()),
    answer: (request: SiteRequest) => clock.meanwhile(answer(request)),
    content: () => clock.meanwhile(contentOf(running?.opened)),
    isReadOnly: async () => {
      if (!running) return false
      const { maintenance_readonly: is } = await clock.meanwhile(readSettings(running.opened.db))
      return is === 'true'
    },
    endSessions: async () => {
      if (running) await clock.meanwhile(running.opened.db.deleteFrom('session').execute())
    },
    /** Somebody else takes the owner's place, or she takes hers again. */
    changeOwner: () => clock.meanwhile(changeOwner()),
    /** Copies the data folder, as a backup does. */
    backUp: () => {
      const copy = join(folder, `backup-${backups.length}`)
      backups.push({ folder: copy, owner })
      return clock.meanwhile(whileStopped(() => cp(place, copy, { recursive: true })))
    },
    /** Puts the last copy in the data folder's place; whether there was one. */
    restore: async () => {
      const backup = backups.at(-1)
      if (!backup) return false
      const work = async () => {
        await rm(place, { recursive: true })
        await cp(backup.folder, place, { recursive: true })
      }
      await clock.meanwhile(whileStopped(work).then(start).then(begin))
      owner = backup.owner
      return true
    },
    moveClock: (ms: number) => {
      clockOffMs += ms
    },
    /** What the server does daily about keys. */
    sweep: async () => {
      if (running) await clock.meanwhile(sweepKeys(running.opened.db, now()))
    },
    close: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function contentOf(opened: OpenedDb | undefined): Promise<Content> {
  if (!opened) throw new Error('the site is down')
  const { db } = opened
  const entries = await listEntries(db, project)
  const { fields } = await readPerson(db)
  const messages = await db.selectFrom('contact_message').select('message').execute()
  return {
    rows: new Map([
      ...entries.map((entry) => [`${project.key}/${entry.id}`, entry.fields] as const),
      ['person', fields] as const,
    ]),
    messages: messages.map(({ message }) => message),
  }
}

function memberOf(json: string, name: string): string {
  return String((JSON.parse(json) as Readonly<Record<string, unknown>>)[name])
}

/** Half of a picture, and then nothing. */
function cut(body: SiteRequest['body']): SiteRequest['body'] | ReadableStream<Uint8Array> {
  if (!(body instanceof Blob)) return body
  return new ReadableStream<Uint8Array>({
    start: async (controller) => {
      const bytes = new Uint8Array(await body.arrayBuffer())
      controller.enqueue(bytes.subarray(0, bytes.length / 2))
      controller.error(new Error('cut'))
    },
  })
}
