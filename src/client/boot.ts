import { catchInstallPrompt } from './browser/early/install-event.ts'
import { followKeptPage } from './browser/early/kept-page.ts'
import { logProblem } from './browser/early/log.ts'
import { toggleTheme } from './browser/early/theme.ts'
import { localMemory, tabMemory } from './browser/early/web-storage.ts'

/*
 * The only script a page asks for by itself. The application follows when somebody means to use it (pointer, key, focus),
 * when the page has been quiet for a while or, where it is of no use without, is painted, or at once where there is nothing
 * to see without or the owner is signed in. Until it runs, links work as plain HTML; a press that only the application
 * answers is kept and carried out as soon as it can.
 */

/** From the load event to starting without any intent, in milliseconds: by then nothing else is being read in. */
const quietAfterMs = 2500
/** Where nothing of the page works without the application: a browser with much else to do may find no idle moment. */
const startsWithinMs = 1000
const intents = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const

/** A press that came too early. */
interface Kept {
  replay(): void
  /** What HTML alone would have done with it. */
  plain(): void
}

const kept = new Map<Element, Kept>()
/** The application answers what is pressed. */
let isRunning = false
let starting: Promise<void> | undefined

const start = (): void => void (starting ??= load())

async function load(): Promise<void> {
  for (const intent of intents) removeEventListener(intent, start, true)
  try {
    await import('./main.tsx')
    isRunning = true
  } catch (error) {
    logProblem('The application could not start', error)
    starting = undefined
    listenForIntent()
  }
  for (const press of kept.values()) {
    if (isRunning) press.replay()
    else press.plain()
  }
  kept.clear()
}

function listenForIntent(): void {
  for (const intent of intents) addEventListener(intent, start, { capture: true, passive: true })
}

/** Closes the header's «more» at Escape, and at any press that is not on its opener. */
function closeMore({
  target,
  key,
}: {
  readonly target: EventTarget | null
  readonly key?: string
}) {
  const opener = document.querySelector<HTMLElement>('.nav-more[open] summary')
  if (key ? key !== 'Escape' : opener?.contains(target as Node)) return
  opener?.parentElement?.removeAttribute('open')
  if (key) opener?.focus()
}

function onClick(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target : undefined
  if (target?.closest('[data-theme-toggle]')) return toggleTheme()
  const button = target?.closest('button')
  if (isRunning || !button || isAnsweredByHtml(button)) return
  kept.set(button, { replay: () => button.click(), plain: () => undefined })
  start()
}

/** Buttons that submit, reset or open a popover do so without any code. */
function isAnsweredByHtml(button: HTMLButtonElement): boolean {
  return (
    button.type !== 'button' ||
    button.hasAttribute('popovertarget') ||
    button.hasAttribute('commandfor')
  )
}

function onSubmit(event: SubmitEvent): void {
  const { target: form, submitter } = event
  if (isRunning || !(form instanceof HTMLFormElement)) return
  event.preventDefault()
  kept.set(form, {
    // A click makes React take over the form before it is submitted; a submission alone would pass it by.
    replay: () => (submitter ? submitter.click() : form.requestSubmit()),
    plain: () => form.submit(),
  })
  start()
}

function startWhenQuiet(): void {
  const whenIdle = globalThis.requestIdleCallback ?? setTimeout
  setTimeout(() => whenIdle(start), startsBy ? 0 : quietAfterMs)
  if (startsBy) setTimeout(start, startsWithinMs)
}

// Said before the application is ready for what was kept: from then on React itself answers a press, and would twice.
addEventListener('taken', () => (isRunning = true))
catchInstallPrompt()
followKeptPage(start)
addEventListener('click', onClick, true)
addEventListener('submit', onSubmit, true)
addEventListener('click', closeMore, true)
addEventListener('keydown', closeMore)
const startsBy = document.documentElement.dataset['start']
// The keys of `data/session.ts`, which this script does without.
const isHers = tabMemory.get('authToken') ?? localMemory.get('tintero-kept')
if (startsBy === 'now' || isHers) start()
else {
  listenForIntent()
  addEventListener('load', startWhenQuiet)
}
