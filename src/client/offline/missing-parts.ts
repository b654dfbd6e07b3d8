import { missingParts } from '#client/data/part.ts'
import { isQuiet, messageForm } from '#client/data/unsaved.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { createStore } from '#client/ui/store.ts'

const firstPauseMs = 2_000
const longestPauseMs = 60_000

/** Whether something was asked for more than once and did not come: one failure alone is made good without a word. */
export const isPartMissing = createStore(false)
/** Whether what is missing is being asked for just now. */
export const isAsking = createStore(false)

/** Tells of each page that has been drawn, as the router does. */
export interface Arrivals {
  subscribe(event: 'onRendered', listener: () => void): () => void
}

/** Asks again for parts that did not come: after longer and longer pauses, at the next page and with a connection. */
export function followMissingParts(router: Arrivals): void {
  let pauseMs = firstPauseMs
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    timer = setTimeout(() => {
      timer = undefined
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      void askAgain().then(follow)
    }, pauseMs)
  }
  const follow = () => {
    if (missingParts.get().length > 0) {
      if (timer === undefined) wait()
      return
    }
    clearTimeout(timer)
    timer = undefined
    pauseMs = firstPauseMs
    isPartMissing.set(false)
  }
  missingParts.subscribe(follow)
  router.subscribe('onRendered', () => void askAgain())
  addEventListener('online', () => void askAgain())
  follow()
}

/**
 * Asks once more because the person said so. What does not come then, though the server answers, comes with the page loaded
 * anew: another version may have replaced it, and browsers such as Firefox never ask again for a script that failed.
 */
export async function retryParts(): Promise<void> {
  await askAgain()
  if ((await mayReload()) && (await servedPage()) && (await mayReload())) location.reload()
}

/** Whether something is missing still, and nothing typed would be lost by a reload. */
async function mayReload(): Promise<boolean> {
  return missingParts.get().length > 0 && isQuiet(await keptForm())
}

/** The form whose text the next page has again. */
async function keptForm(): Promise<string> {
  try {
    const { isTextKept } = await import('#client/drafts/message-draft.ts')
    return isTextKept() ? messageForm : ''
  } catch {
    return '' // it may be what is missing, and then it has kept nothing
  }
}

let asking: Promise<void> | undefined

/** Whoever asks meanwhile waits for the same answer. */
function askAgain(): Promise<void> {
  return (asking ??= askOnce().finally(() => (asking = undefined)))
}

async function askOnce(): Promise<void> {
  const missing = missingParts.get()
  if (missing.length === 0 || !navigator.onLine) return
  isAsking.set(true)
  try {
    await Promise.all(failedSheets().map(loadAnew))
    await Promise.all(missing.map((ask) => ask()))
  } catch (cause) {
    logProblem('A part is still missing', cause)
    isPartMissing.set(true)
  }
  isAsking.set(false)
}

/** The styles that did not come, which an import asks for only once. */
function failedSheets(): readonly HTMLLinkElement[] {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')
  return [...links].filter(({ sheet }) => !hasRules(sheet))
}

/** For a refused file the browser has no sheet, or one without rules; for one that the worker could not get, a closed one. */
function hasRules(sheet: CSSStyleSheet | null): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0
  } catch {
    return false
  }
}

function loadAnew(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const again = document.createElement('link')
    for (const { name, value } of link.attributes) again.setAttribute(name, value)
    again.addEventListener('load', () => resolve())
    again.addEventListener('error', () => reject(new Error(`No styles came from ${link.href}`)))
    link.replaceWith(again)
  })
}

/** Whether the server has other files by now than those that this page was made of. */
export async function isReplaced(): Promise<boolean> {
  const page = await servedPage()
  return page !== undefined && !page.includes(ownScript())
}

/**
 * The page as the server draws it now; undefined where it does not answer. Something on the way may answer in its place: a
 * page is the product's own only when it names a script as this one does.
 */
async function servedPage(): Promise<string | undefined> {
  const script = ownScript()
  const page = await fetch(location.href)
    .then((answer) => answer.text())
    .catch(() => '')
  return page.includes(script.slice(0, script.indexOf('-'))) ? page : undefined
}

const ownScript = () => document.querySelector('script[src]')?.outerHTML ?? ''
