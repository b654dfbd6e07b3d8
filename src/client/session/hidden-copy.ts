import { get, keys } from 'idb-keyval'
import type { SentHiddenEntry } from '#contract/entries/hidden.ts'
import { cacheNames, hiddenPlace } from '#contract/offline/offline.ts'
import { pictureVariants } from '#contract/images/picture-widths.ts'
import type { Entry } from '#contract/sections/section.ts'
import { workerCaches } from '#client/browser/closable.ts'
import { openStore, writeNow } from '#client/browser/database.ts'
import { inTime } from '#client/browser/delay.ts'
import { dropStored, getStored, setStored } from '#client/browser/device-storage.ts'
import { sharedLocks } from '#client/browser/locks.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { getSession, isSomebody } from '#client/data/session.ts'

/*
 * What the device keeps of the hidden entries, so that their owner can go on with them without a connection: apart from the copy
 * that every page of the site reads, asked for in her session alone, and gone with LogOut. A session can end without this
 * browser, too: what no tab reads any more goes as soon as a page opens on which nobody is signed in. Her tabs share a lock
 * meanwhile, which the browser takes back however one of them ends.
 */

interface Copy {
  /** Whose entries they are. */
  readonly account: string
  readonly hidden: readonly SentHiddenEntry[]
}

const store = openStore(hiddenPlace)
const lock = hiddenPlace.database
const key = 'entries'
/** Set while this device keeps hidden entries; the document reads it before its first paint. */
const hidesName = 'hides'
/** From LogOut on until the page goes: an answer that was on its way is not kept any more. */
let isLeaving = false
let claiming: Promise<void> | undefined
/** Counts what is kept and forgotten: of what waits for the tabs' lock only the last is done. */
let turn = 0

/** Whether this device keeps hidden entries, known before they are read. */
export function keepsHidden(): boolean {
  return getStored(hidesName) !== undefined
}

/** What this device keeps for whoever is signed in; undefined where that is nothing, or another's. */
export async function readHidden(): Promise<readonly SentHiddenEntry[] | undefined> {
  try {
    const kept = await inTime(get<unknown>(key, store))
    // An earlier version kept it as it is.
    if (!(kept instanceof Blob)) return undefined
    const copy = JSON.parse(await kept.text()) as Copy
    if (copy.account !== getSession().account) return undefined
    void claim()
    return copy.hidden
  } catch {
    return undefined // a device that keeps nothing
  }
}

/** Keeps what the server answered, and nothing at all where nothing is hidden any more, or this browser has no locks. */
export async function keepHidden(hidden: readonly SentHiddenEntry[]): Promise<void> {
  const { account } = getSession()
  const own = ++turn
  // Where there are no locks nobody could tell when to take it away again.
  const isKeepable = account !== '' && hidden.length > 0 && sharedLocks() !== undefined
  if (isKeepable) await claim()
  // In another tab her session may have ended meanwhile, and in this one while it waited for its share of the lock.
  const now = getSession()
  if (own !== turn || isLeaving || account === '' || account !== now.account || now.isExpired)
    return
  await write(isKeepable ? { account, hidden } : undefined)
}

/** Keeps tabs without her session from taking away what this one keeps, for as long as it lives. Never rejects. */
function claim(): Promise<void> {
  claiming ??= new Promise((resolve) => {
    const hold = () => new Promise<never>(() => resolve())
    const asked = sharedLocks()?.request(lock, { mode: 'shared' }, hold)
    if (asked) asked.catch(() => resolve())
    else resolve()
  })
  return claiming
}

/** The pictures go with their entries: the worker's copies would tell whoever looks there of both. */
async function dropPictures(isOwn: (pathname: string) => boolean): Promise<void> {
  const images = await workerCaches()?.open(cacheNames.images)
  if (!images) return
  const own = (await images.keys()).filter(({ url }) => isOwn(new URL(url).pathname))
  await Promise.all(own.map((request) => images.delete(request, { ignoreVary: true })))
}

/** Takes rows of entries that visitors have not, or their fields, since a picture is known by being one's address. */
async function dropPicturesOf(rows: readonly object[]): Promise<void> {
  const values = rows.flatMap((row) => Object.values<unknown>({ ...row })).map(String)
  const paths = new Set(values.flatMap((value) => [value, ...pictureVariants(value)]))
  await dropPictures((pathname) => paths.has(pathname))
}

async function dropShown(): Promise<void> {
  const kept = await get<unknown>(key, store)
  if (!(kept instanceof Blob)) return
  const { hidden } = JSON.parse(await kept.text()) as Copy
  await dropPicturesOf(hidden.map(({ entry }) => entry))
}

/** Takes all pictures of the site and reads no copy, since what a page has read as a file stays on the disk until the next start. */
async function dropUnseen(): Promise<void> {
  if ((await keys(store)).length === 0) return
  await dropPictures((pathname) => pathname.startsWith('/media/'))
}

async function forget(drop: () => Promise<void>): Promise<void> {
  await unlessRefused(drop)
  await write(undefined)
}

async function unlessRefused(drop: () => Promise<void>): Promise<void> {
  try {
    await inTime(drop())
  } catch (cause) {
    logProblem('The pictures of hidden entries stay on this device', cause)
  }
}

async function write(copy: Copy | undefined): Promise<void> {
  if (!copy) dropStored(hidesName)
  try {
    // As a file: what is deleted from among its rows a browser leaves in those of its own for as long as it likes.
    const kept = copy && new Blob([JSON.stringify(copy)])
    // A database that never opens holds no LogOut up.
    await inTime(writeNow(store, [[key, kept]]))
    if (copy) setStored(hidesName, '1')
  } catch (cause) {
    logProblem('The hidden entries are not kept on this device', cause)
  }
}

/** Forgets the hidden entries, and keeps none until the page goes: somebody else may sit here next. */
export async function dropHidden(): Promise<void> {
  isLeaving = true
  await forgetHidden()
}

/** Forgets the hidden entries for now: whoever is signed in reads them anew. */
export async function forgetHidden(): Promise<void> {
  turn++
  await forget(dropShown)
}

/** Forgets the pictures of entries of hidden sections, which stand among what everybody reads while she is signed in. Never rejects. */
export function forgetPicturesOf(entries: readonly Pick<Entry, 'fields'>[]): Promise<void> {
  return unlessRefused(() => dropPicturesOf(entries.map(({ fields }) => fields)))
}

/** Forgets hidden entries that no tab reads any more. Where there are no locks, none were kept. */
export async function forgetUnread(): Promise<void> {
  await sharedLocks()?.request(lock, { ifAvailable: true }, async (granted) => {
    if (granted && !isSomebody(getSession())) await forget(dropUnseen)
  })
}
