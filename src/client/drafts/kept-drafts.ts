import { get, promisifyRequest, type UseStore } from 'idb-keyval'
import { openStore, putAll, writeNow, writeRead } from '#client/browser/database.ts'
import { inTime, keptWithinMs } from '#client/browser/delay.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { localMemory } from '#client/browser/early/web-storage.ts'

/*
 * Where everything that somebody typed and has not sent is kept: the owner's forms and a visitor's message. The store is
 * called after what it had first.
 */
const store: UseStore = openStore({ database: 'tintero-drafts', store: 'pictures' })

/** Values by key; undefined where there is to be none. */
export type Values = Readonly<Record<string, unknown>>

/** What waits to be written. */
interface Turn {
  readonly values: Map<string, unknown>
  readonly done: PromiseWithResolvers<boolean>
}

let next: Turn | undefined
let underWay = 0
/** What this page gave to be written, until it knows what became of it. */
const unwritten = new Map<string, unknown>()

/**
 * Keeps values; resolves to whether they, or what came after them, are on disk. While one write is under way only the latest
 * waits, but not when the page goes out of sight.
 */
export function keepValues(values: Values): Promise<boolean> {
  next ??= { values: new Map(), done: Promise.withResolvers() }
  const { done } = next
  // It is older than what comes now.
  localMemory.remove(leftHere)
  for (const [key, value] of Object.entries(values)) {
    next.values.set(key, value)
    unwritten.set(key, value)
  }
  if (underWay === 0) void writeNext()
  return done.promise
}

async function writeNext(): Promise<void> {
  if (!next) return
  const { values, done } = next
  next = undefined
  underWay++
  try {
    await inTime(writeNow(store, values), keptWithinMs)
    for (const [key, value] of values) if (unwritten.get(key) === value) unwritten.delete(key)
    done.resolve(true)
  } catch (cause) {
    logProblem('A draft could not be kept', cause)
    done.resolve(false)
  }
  if (unwritten.size === 0) localMemory.remove(leftHere)
  underWay--
  void writeNext()
}

/** What a page could not write lies under such names in local storage until the next one reads. */
const leftBehind = 'tintero-left:'
const leftHere = leftBehind + Math.random()

/** On a slow disk a write waits for the one before, and dies with the page: what is not there yet is left for the next page. */
function leave(): void {
  void writeNext()
  const texts = [...unwritten].filter(([key]) => key === messageKey || key.startsWith(textKey('')))
  if (texts.length > 0) localMemory.set(leftHere, JSON.stringify({ id: Math.random(), texts }))
}

globalThis.addEventListener?.('pagehide', leave)
globalThis.document?.addEventListener('visibilitychange', leave)

/** What is kept under a key, this page's latest word included. */
export async function readValue(key: string): Promise<unknown> {
  await takeOver()
  void writeNext()
  return get<unknown>(key, store)
}

/** Everything that is kept, as `readTexts` gives it, this page's latest word included. */
export async function readValues(): Promise<Values> {
  await takeOver()
  void writeNext()
  return store('readonly', readTexts)
}

/**
 * All texts, and of each picture only that it is there: one whose bytes the browser has lost would let none of the others be
 * read with it.
 */
async function readTexts(objects: IDBObjectStore): Promise<Values> {
  const names = (await promisifyRequest(objects.getAllKeys())) as string[]
  const read = names.map(async (name) => {
    const [value] = isText(name)
      ? await promisifyRequest<unknown[]>(objects.getAll(name))
      : [aPicture]
    return [name, value] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

/** As `readValues`, changes what is kept in one turn, which sees this page's latest word; resolves once it is on disk. */
export async function changeValues(change: (kept: Values) => Values): Promise<void> {
  await takeOver()
  void writeNext()
  await turn(change)
}

function turn(change: (kept: Values) => Values): Promise<void> {
  return store('readwrite', async (objects) => {
    const kept = await readTexts(objects)
    return writeRead(objects, objects.count(), () => putAll(objects, Object.entries(change(kept))))
  })
}

/** The key under which a form's texts are kept; its picture lies under the form's own name. */
export const textKey = (form: string) => `text:${form}`
export const messageKey = 'message'
/** By which a message's text is known again that is kept no more. */
export const handedOverKey = 'handed-over'

/** Says what was taken over last: a browser that is killed brings back in local storage what was removed before. */
const takenKey = 'taken'

/** Stands for a picture among the values that are read together. */
export const aPicture = true

function isText(key: string): boolean {
  return key.startsWith(textKey('')) || [messageKey, handedOverKey, takenKey].includes(key)
}

async function takeOver(): Promise<void> {
  const names = localMemory.keys().filter((name) => name.startsWith(leftBehind))
  if (names.length === 0) return
  try {
    await turn((kept) => {
      // In this turn: its page may have gone on, and written something newer, since.
      const left = names.map((name) => parsed(localMemory.get(name)))
      const taken = (kept[takenKey] ?? []) as readonly number[]
      const news = left.filter(({ id }) => !taken.includes(id))
      // A text that was dropped travels as null.
      const values: Record<string, unknown> = {
        [takenKey]: [...taken, ...news.map(({ id }) => id)].slice(-50),
      }
      for (const [key, text] of news.flatMap(({ texts }) => texts)) values[key] = text ?? undefined
      return values
    })
    for (const name of names) localMemory.remove(name)
  } catch (cause) {
    logProblem('A text could not be read', cause)
  }
}

interface Left {
  readonly id: number
  readonly texts: readonly (readonly [key: string, text: unknown])[]
}

function parsed(text = ''): Left {
  try {
    return JSON.parse(text) as Left
  } catch {
    return { id: 0, texts: [] } // damaged by hand: there is nothing to recover
  }
}
