import { QueryClientProvider } from '@tanstack/react-query'
import { Component, Suspense, useSyncExternalStore, type ReactNode } from 'react'
import type { FieldValues } from '#contract/fields.ts'
import { project } from '#contract/sections/project.ts'
import type { SettingKey } from '#contract/settings/settings.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { ApiError } from '#client/data/api.ts'
import { changeSettingOperation, submitChange } from '#client/owner/changes/submit-change.ts'
import { signIn } from '#client/login/credentials.ts'
import { logOutAnyway } from '#client/owner/access/log-out.ts'
import { useHiddenEntries } from '#client/owner/editor/hidden-query.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { readSiteFromApi } from '#client/data/queries.ts'
import { createQueryClient } from '#client/data/query-client.ts'
import { getSession, isAdmin, useSession } from '#client/data/session.ts'
import { startOffline } from '#client/offline/start.ts'
import { Contact } from '#client/site/contact/contact.tsx'
import { EntryEditScreen } from '#client/owner/editor/entry-edit.tsx'
import { PersonEditScreen } from '#client/owner/editor/person-edit.tsx'
import { ListPage } from '#client/site/list-page.tsx'
import { pageNotices } from '#client/ui/notices.ts'
import { Box, run } from './null-host.ts'
import { goTo, onVisit, placeNow } from './router.tsx'

/*
 * One tab of the product inside a history: the product's own start, queue, forms and lists, run by React without being
 * drawn. What stands here is what a person does with it: going somewhere, typing, pressing, reading.
 */

/** What a tab tells whoever plays the history. */
interface TabHost {
  /** A snackbar says this. */
  readonly told: (kind: string, text: string) => void
  readonly failed: (error: unknown) => void
}

/** An entry of the list as it stands on the screen. */
export interface Seen {
  readonly id: string
  readonly name: string
}

declare const tabHost: TabHost

// The message form asks what its fields are.
Object.assign(globalThis, { HTMLInputElement: Box, HTMLTextAreaElement: Box, HTMLElement: Box })

const queryClient = createQueryClient(readSiteFromApi)
let root: Box | undefined

function Screen() {
  const path = useSyncExternalStore(onVisit, placeNow)
  const isOwner = isAdmin(useSession())
  // As the product's shell does on every page of hers.
  useHiddenEntries(isOwner)
  return (
    <Page key={path}>
      <Suspense fallback={null}>{screenAt(path, isOwner)}</Suspense>
    </Page>
  )
}

function screenAt(path: string, isOwner: boolean): ReactNode {
  const [, page, id = ''] = path.split('/')
  if (page === 'projects') return <ListPage section={project} page={1} />
  if (page === 'contact') return <Contact posted={undefined} />
  if (!isOwner) return null
  if (page === 'editProj') return <EntryEditScreen section={project} id={id} />
  return page === 'editProf' ? <PersonEditScreen which="header" /> : null
}

/** As the product's own: a page that could not load says so, and the others go on. */
class Page extends Component<{ readonly children: ReactNode }> {
  static getDerivedStateFromError = () => ({ isBroken: true })
  override readonly state = { isBroken: false }
  override render() {
    return this.state.isBroken ? null : this.props.children
  }
}

/** Whether it is the line that failed, not the product. */
function isOfLine(error: unknown): boolean {
  return (
    error instanceof ApiError || !(error instanceof Error) || /fetch|answer/.test(error.message)
  )
}

let told = 0
pageNotices.subscribe(() => {
  for (const { id, kind, text, question } of pageNotices.get()) {
    if (id <= told) continue
    told = id
    tabHost.told(kind, text)
    // Whoever is asked whether to delete presses «Eliminar»; every other notice goes by itself.
    setTimeout(() => pageNotices.close(id, question !== undefined), question ? 200 : 3_000)
  }
})

function formOf(): Box | undefined {
  return root?.find(({ type }) => type === 'form')
}

function press(isMeant: (box: Box) => boolean): boolean {
  const button = root?.find((box) => box.type === 'button' && isMeant(box))
  if (!button) return false
  const onClick = button.props['onClick'] as ((event: object) => void) | undefined
  onClick?.({ currentTarget: button, target: button, detail: 1, preventDefault: () => undefined })
  return true
}

const textIn = ({ props }: Box, name: string) => {
  const value = props[name]
  return typeof value === 'string' ? value : ''
}
const classOf = (box: Box) => textIn(box, 'className')

export const tab = {
  start: async () => {
    await startOffline(queryClient, { subscribe: () => () => undefined })
    const tree = (
      <QueryClientProvider client={queryClient}>
        <Screen />
      </QueryClientProvider>
    )
    root = run(tree, (error) => {
      if (!isOfLine(error)) tabHost.failed(error)
    })
  },
  /** Goes to a page; a form only opens once the queue has been read, as behind the product's guard. */
  go: async (path: string) => {
    if (getSession().token !== undefined) await pageOutbox(queryClient).opened
    goTo('/')
    await new Promise((resolve) => setTimeout(resolve, 1))
    goTo(path)
  },
  place: placeNow,
  press: (label: string) =>
    press(
      (box) =>
        box.props['aria-label'] === label || box.props['title'] === label || box.text() === label,
    ),
  /** Asks to delete an entry of the list. */
  pressBin: (name: string) => {
    const label = fill(ownerTexts.removeEntry, { noun: project.words.noun, name })
    return press((box) => textIn(box, 'aria-label') === label)
  },
  /** What stands in the form; undefined where there is none. */
  formValues: (): FieldValues | undefined => {
    const form = formOf()
    if (!form) return undefined
    const controls = [...form.all()].filter(
      ({ type, props }) =>
        (type === 'input' || type === 'textarea') && typeof props['name'] === 'string',
    )
    return Object.fromEntries(controls.map((box) => [String(box.props['name']), box.value]))
  },
  /** What the form says of its text: kept, recovered, or nothing. */
  formState: () => root?.find((box) => classOf(box).split(' ')[0] === 'state')?.text() ?? '',
  type: (name: string, text: string) => {
    const form = formOf()
    const control = form?.elements.namedItem(name)
    if (!form || !control) return
    control.value = text
    const event = { target: control, currentTarget: control }
    ;(control.props['onChange'] as ((event: object) => void) | undefined)?.(event)
    ;(form.props['onInput'] as ((event: object) => void) | undefined)?.(event)
  },
  /** Turns a switch of the form over; whether there is one. */
  turnOver: (name: string): boolean => {
    const control = formOf()?.elements.namedItem(name)
    const onChange = control?.props['onChange'] as ((event: object) => void) | undefined
    onChange?.({ target: { checked: control?.props['checked'] !== true } })
    return onChange !== undefined
  },
  choose: (file: File) => {
    const control = formOf()?.find(({ props }) => props['type'] === 'file')
    const onChange = control?.props['onChange'] as ((event: object) => void) | undefined
    onChange?.({ currentTarget: { files: [file], value: '' } })
  },
  submit: () => {
    const form = formOf()
    const onSubmit = form?.props['onSubmit'] as ((event: object) => void) | undefined
    onSubmit?.({ currentTarget: form, preventDefault: () => undefined })
  },
  /** The list as it stands on the screen; undefined while there is none. */
  list: (): readonly Seen[] | undefined => {
    // Not the card beside the form, which shows what is being typed.
    const list = root?.children.find(
      (child): child is Box => child instanceof Box && child.type === 'ul',
    )
    if (list) return list.children.filter((child) => child instanceof Box).map(seenIn)
    return root?.find((box) => classOf(box) === 'empty') ? [] : undefined
  },
  queue: (): readonly Operation[] => pageOutbox(queryClient).getState().operations,
  retry: (id: string, change: { version?: number; madeAt?: string }) =>
    void pageOutbox(queryClient).retry(id, change),
  discard: (id: string) => void pageOutbox(queryClient).discard(id),
  drain: () => void pageOutbox(queryClient).drain({ force: true }),
  session: getSession,
  now: () => new Date().toISOString(),
  signIn,
  signOut: () => void logOutAnyway(),
  /** Turns the switch of a setting, which showed the other value. */
  turn: (key: SettingKey, isOn: boolean) =>
    submitChange(changeSettingOperation(key, String(isOn), String(!isOn)), { queryClient }),
}

export type Tab = typeof tab

function seenIn(item: Box): Seen {
  const link = item.find(({ props }) => props['data-params'] !== undefined)
  const params = (link?.props['data-params'] ?? {}) as { readonly id?: string }
  const name = item.find(({ type }) => type === 'h2' || type === 'h3')?.text() ?? ''
  return { id: params.id ?? '', name }
}
