import type { QueryClient, QueryKey } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
  useLocation,
  useParams,
  type AsyncRouteComponent,
} from '@tanstack/react-router'
import { personId } from '#contract/limits.ts'
import type { PostedForm } from '#contract/pages.ts'
import { personForms } from '#contract/person.ts'
import { sections } from '#contract/sections/index.ts'
import { entriesQuery, latestQuery, personQuery, settingsQuery } from './data/queries.ts'
import { getSession, hasRole } from './data/session.ts'
import { About } from './screens/about.tsx'
import { Contact } from './screens/contact.tsx'
import { Home, latestSections } from './screens/home.tsx'
import { NotFound } from './screens/not-found.tsx'
import { onlyInBrowser } from './screens/only-in-browser.tsx'
import { Root } from './screens/root.tsx'
import { Shell } from './screens/shell/shell.tsx'
import { ListPage } from './sections/list-page.tsx'

/** What the loaders of every route get. */
export interface RouterContext {
  readonly queryClient: QueryClient
  /** A contact form that came without JavaScript, on the page that answers it. */
  readonly posted?: PostedForm | undefined
}

const isServer = typeof document === 'undefined'

/** A loader: the server waits for the data, the browser draws at once and shows what is still on its way. */
const needs =
  (...queries: readonly { readonly queryKey: QueryKey }[]) =>
  async ({ context: { queryClient } }: { readonly context: RouterContext }) => {
    const loading = Promise.all(queries.map((query) => queryClient.query(query)))
    if (isServer) await loading
    // A page shows for itself what could not be loaded; the cache has logged it.
    else loading.catch(() => undefined)
  }

const root = createRootRouteWithContext<RouterContext>()({
  component: Root,
  loader: needs(personQuery, settingsQuery),
})

const pages = createRoute({
  getParentRoute: () => root,
  id: 'pages',
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
})

const home = createRoute({
  getParentRoute: () => pages,
  path: '/',
  component: Home,
  loader: needs(...latestSections.map(latestQuery)),
})
const about = createRoute({ getParentRoute: () => pages, path: '/about', component: About })
const lists = sections.map((section) =>
  createRoute({
    getParentRoute: () => pages,
    path: section.path,
    component: () => <ListPage section={section} />,
    loader: needs(entriesQuery(section)),
  }),
)
const contact = createRoute({
  getParentRoute: () => pages,
  path: '/contact',
  component: () => <Contact posted={contact.useRouteContext().posted} />,
})
const unknown = createRoute({ getParentRoute: () => pages, path: '$', component: NotFound })

const cv = createRoute({
  getParentRoute: () => root,
  path: '/cv',
  component: lazyRouteComponent(() => import('./screens/cv.tsx'), 'Cv'),
  loader: needs(...sections.map(entriesQuery)),
})

const forms = createRoute({
  getParentRoute: () => root,
  id: 'forms',
  component: () => (
    <Shell isSolo>
      <Outlet />
    </Shell>
  ),
  notFoundComponent: NotFound,
})

const Login = lazyRouteComponent(() => import('./screens/login.tsx'), 'LoginScreen')
const Setup = lazyRouteComponent(() => import('./screens/setup.tsx'), 'SetupScreen')
const Inbox = lazyRouteComponent(() => import('./screens/inbox.tsx'), 'InboxScreen')
const Settings = lazyRouteComponent(() => import('./screens/settings.tsx'), 'SettingsScreen')
const EntryAdd = lazyRouteComponent(() => import('./screens/entry-add.tsx'), 'EntryAddScreen')
const EntryEdit = lazyRouteComponent(() => import('./screens/entry-edit.tsx'), 'EntryEditScreen')
const PersonEdit = lazyRouteComponent(() => import('./screens/person-edit.tsx'), 'PersonEditScreen')

const none = () => ({})

function useLoginProps(): { readonly isAsked: boolean; readonly from: string } {
  return useLocation({ select: ({ state: { isAsked = false, from = '' } }) => ({ isAsked, from }) })
}

function useEntryId(): string {
  return useParams({ strict: false, select: ({ id }) => id ?? '' })
}

const login = createRoute({
  getParentRoute: () => forms,
  path: '/login',
  component: onlyInBrowser(Login, useLoginProps),
})
const setup = createRoute({
  getParentRoute: () => forms,
  path: '/configurar',
  component: onlyInBrowser(Setup, none),
})

/** Runs before anything of the editor is loaded. The server knows no session and draws the same wait for everybody. */
async function onlyAdmin({
  context,
  location: { href },
}: {
  readonly context: RouterContext
  readonly location: { readonly href: string }
}): Promise<void> {
  if (isServer) return
  if (!hasRole(getSession(), ['admin'])) {
    redirect({ to: '/login', state: { isAsked: true, from: href }, replace: true, throw: true })
  }
  // A form starts from what is queued, not from what the server has yet to hear.
  const { pageOutbox } = await import('./data/outbox/page-outbox.ts')
  await pageOutbox(context.queryClient).opened
}

const owner = createRoute({ getParentRoute: () => forms, id: 'owner', beforeLoad: onlyAdmin })
const ownerPage = <const Path extends string>(path: Path, screen: AsyncRouteComponent<object>) =>
  createRoute({
    getParentRoute: () => pages,
    path,
    beforeLoad: onlyAdmin,
    component: onlyInBrowser(screen, none),
  })
const inbox = ownerPage('/inbox', Inbox)
const settings = ownerPage('/settings', Settings)
const entryForms = sections.flatMap((section) => {
  const add = createRoute({
    getParentRoute: () => owner,
    path: section.addPath,
    component: onlyInBrowser(EntryAdd, () => ({ section })),
  })
  const edit = createRoute({
    getParentRoute: () => owner,
    path: section.editPath,
    component: onlyInBrowser(EntryEdit, () => ({
      section,
      id: useEntryId(),
    })),
    loader: needs(entriesQuery(section)),
  })
  return [add, edit]
})
/** There is one profile: any other id leads to its form. */
function onlyPerson(which: keyof typeof personForms, { id }: { readonly id?: string }): void {
  const only = String(personId)
  if (isServer || id === only) return
  redirect({ to: personForms[which].editPath, params: { id: only }, replace: true, throw: true })
}

const personRoutes = (['header', 'about'] as const).map((which) =>
  createRoute({
    getParentRoute: () => owner,
    path: personForms[which].editPath,
    beforeLoad: ({ params }) => onlyPerson(which, params),
    component: onlyInBrowser(PersonEdit, () => ({ which })),
  }),
)

/** Every page of the product, by its path. */
export const routeTree = root.addChildren([
  pages.addChildren([home, about, ...lists, contact, inbox, settings, unknown]),
  forms.addChildren([login, setup, owner.addChildren([...entryForms, ...personRoutes])]),
  cv,
])
