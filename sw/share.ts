import { createStore, promisifyRequest } from 'idb-keyval'
import { share, type SharedItem } from '#contract/offline/offline.ts'

declare const self: ServiceWorkerGlobalScope

/** What a share form holds; parts of another kind than promised count as absent. */
export async function readShared(form: FormData): Promise<SharedItem> {
  const text = (field: string) => {
    const value = form.get(field)
    return typeof value === 'string' ? value : ''
  }
  const { fields } = share
  const photo = form.get(fields.photo)
  const words = { title: text(fields.title), text: text(fields.text), url: text(fields.url) }
  if (typeof photo === 'string' || !photo?.size) return words
  const { type, name } = photo
  // Not the file itself: WebKit loses those that IndexedDB keeps.
  return { ...words, photo: { bytes: await photo.arrayBuffer(), type, name } }
}

/** Says of a form that no page's form is: those of Chromium and Safari, of Firefox and of older ones set their parts apart so. */
const fromNoPage = /^multipart\/form-data;(?!.*-(webkitf|geckof|-{20}\d))/i

/**
 * Whether a page of another site sent it, as far as the browser says so. An application of the device has no address, but
 * a page can ask that its own be left out, or have none, as in a frame that is shut in; its form gives it away.
 */
export function isFromElsewhere(
  { referrer, headers }: Pick<Request, 'referrer' | 'headers'>,
  origin: string,
): boolean {
  if (!referrer) return !fromNoPage.test(headers.get('Content-Type') ?? '')
  return !referrer.startsWith(`${origin}/`)
}

/** Keeps what was shared and sends the person to the form that takes it. */
export async function keepShared(request: Request): Promise<Response> {
  return Response.redirect(await takeIn(request, self.location.origin), 303)
}

/** Keeps what was shared; resolves to where the person goes on, which tells her when it could not be kept. */
export async function takeIn(request: Request, origin: string): Promise<string> {
  if (isFromElsewhere(request, origin)) return share.landing
  try {
    await keep(await readShared(await readForm(request)))
    return share.landing
  } catch (cause) {
    // oxlint-disable-next-line no-console -- for whoever looks there: it was too much, or storage is closed or full
    console.error('Not kept', cause)
    return cause === full ? share.full : share.notKept
  }
}

const full = Error('full')

/**
 * On disk once it resolves: idb-keyval's own writes may wait in memory. Beside what no form has taken yet, for the person
 * may share again before the first form opens; rejects with `full` where too much waits already.
 */
async function keep(item: SharedItem): Promise<void> {
  const { database, store, most } = share
  const open = createStore(database, store)
  const { db } = await open('readonly', ({ transaction }) => transaction)
  const writing = db.transaction(store, 'readwrite', { durability: 'strict' })
  const items = writing.objectStore(store)
  const waiting = items.count()
  // Two may come within one millisecond.
  waiting.onsuccess = () => waiting.result < most && items.put(item, Date.now() + Math.random())
  await promisifyRequest(writing)
  if (waiting.result >= most) throw full
}

/** The form; one that is larger than any share is not taken apart. */
export async function readForm(request: Request): Promise<FormData> {
  const all = await request.blob()
  if (all.size > share.mostBytes) throw Error('large')
  return new Response(all, request).formData()
}
