import { useSuspenseQuery, type QueryClient, type QueryKey } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
  useLocation,
  useParams,
  useRouteContext,
  type RouteComponent,
} from '@tanstack/react-router'
import { personId } from '#contract/limits.ts'
import { listAt } from '#contract/entries/list-pages.ts'
import type { PagePath, PostedForm } from '#contract/pages.ts'
import { personForms } from '#contract/person/person.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import {
  entriesQuery,
  latestQuery,
  listPartQuery,
  personQuery,
  settingsQuery,
} from '#client/data/queries.ts'
import { getSession, isAdmin, isKept, useSession } from '#client/data/session.ts'
import { About } from '#client/site/about.tsx'
import { Contact } from '#client/site/contact/contact.tsx'
import { Home, latestSections } from '#client/site/home.tsx'
import { NotFound } from '#client/site/not-found.tsx'
import { onlyInBrowser } from '#client/site/only-in-browser.tsx'
import { Root } from '#client/site/root.tsx'
import { visibleSections } from '#client/site/shell/navigation.ts'
import { Shell } from '#client/site/shell/shell.tsx'
import { ListPage, useIsBeyond } from '#client/site/list-page.tsx'

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

const siteLayout = createRoute({
  getParentRoute: () => root,
  id: 'pages',
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
})

/** A hidden section is for its owner alone. */
function SectionPage({ section }: { readonly section: Section }) {
  const { data } = useSuspenseQuery(settingsQuery)
  const isOwner = isAdmin(useSession())
  const page = useLocation({ select: ({ pathname }) => listAt(pathname)?.page ?? 0 })
  const isBeyond = useIsBeyond(section, page)
  const isThere = isOwner || (!isBeyond && visibleSections(data).includes(section))
  return page > 0 && isThere ? <ListPage section={section} page={page} /> : <NotFound />
}

/** Whole lists; the server draws from the parts of them that it has been given. */
const needsLists =
  (lists: readonly Section[], part: (pathname: string) => number | 'cv') =>
  async (at: {
    readonly context: RouterContext
    readonly location: { readonly pathname: string }
  }) => {
    const isGiven = (section: Section) => {
      const { queryKey } = listPartQuery(section, part(at.location.pathname))
      return isServer && at.context.queryClient.getQueryData(queryKey)
    }
    await needs(...lists.filter((section) => !isGiven(section)).map(entriesQuery))(at)
  }

const lists = sections.flatMap((section) =>
  [section.path, `${section.path}/$page`].map((path) =>
    createRoute({
      getParentRoute: () => siteLayout,
      path,
      component: () => <SectionPage section={section} />,
      loader: needsLists([section], (pathname) => listAt(pathname)?.page ?? 0),
    }),
  ),
)
const unknown = createRoute({ getParentRoute: () => siteLayout, path: '$', component: NotFound })

const soloLayout = createRoute({
  getParentRoute: () => root,
  id: 'forms',
  component: () => (
    <Shell isSolo>
      <Outlet />
    </Shell>
  ),
  notFoundComponent: NotFound,
})

const waysInWithout = (cause: unknown) =>
  import('#client/offline/offline-parts.tsx').then((file) => file.waysInWithout(cause))

const Login = lazyRouteComponent(
  () => import('#client/login/login.tsx').catch(waysInWithout),
  'LoginScreen',
)
const Setup = lazyRouteComponent(
  () => import('#client/login/setup.tsx').catch(waysInWithout),
  'SetupScreen',
)
const Inbox = lazyRouteComponent(() => import('#client/owner/inbox/inbox.tsx'), 'InboxScreen')
const Import = lazyRouteComponent(() => import('#client/owner/import/import.tsx'), 'ImportScreen')
const Settings = lazyRouteComponent(
  () => import('#client/owner/settings/settings.tsx'),
  'SettingsScreen',
)
const EntryAdd = lazyRouteComponent(
  () => import('#client/owner/editor/entry-add.tsx'),
  'EntryAddScreen',
)
const EntryEdit = lazyRouteComponent(
  () => import('#client/owner/editor/entry-edit.tsx'),
  'EntryEditScreen',
)
const PersonEdit = lazyRouteComponent(
  () => import('#client/owner/editor/person-edit.tsx'),
  'PersonEditScreen',
)

const none = () => ({})

function useEntryId(): string {
  return useParams({ strict: false, select: ({ id }) => id ?? '' })
}

/** Runs before anything of the editor is loaded. The server knows no session and draws the same wait for everybody. */
async function onlyAdmin({
  context,
  location: { href },
}: {
  readonly context: RouterContext
  readonly location: { readonly href: string }
}): Promise<void> {
  if (isServer) return
  if (getSession().token === undefined && isKept()) {
    await import('#client/session/renewal.ts').then(({ renewedInTime }) => renewedInTime())
  }
  if (!isAdmin(getSession())) {
    redirect({ to: '/login', state: { isAsked: true, from: href }, replace: true, throw: true })
  }
  // A form starts from what is queued, not from what the server has yet to hear.
  const { pageOutbox } = await import('#client/outbox/page-outbox.ts')
  await pageOutbox(context.queryClient).opened
}

const ownerForms = createRoute({
  getParentRoute: () => soloLayout,
  id: 'owner',
  beforeLoad: onlyAdmin,
})

interface Screen {
  readonly layout: 'site' | 'solo' | 'none'
  readonly component: RouteComponent
  readonly loader?: ReturnType<typeof needsLists>
  readonly beforeLoad?: typeof onlyAdmin
}

function ContactPage() {
  return <Contact posted={useRouteContext({ strict: false }).posted} />
}

const screens: Readonly<Record<PagePath, Screen>> = {
  '/': { layout: 'site', component: Home, loader: needs(...latestSections.map(latestQuery)) },
  '/about': { layout: 'site', component: About },
  '/contact': { layout: 'site', component: ContactPage },
  '/cv': {
    layout: 'none',
    component: lazyRouteComponent(() => import('#client/site/cv.tsx'), 'Cv'),
    loader: needsLists(sections, () => 'cv'),
  },
  '/card': {
    layout: 'none',
    component: lazyRouteComponent(() => import('#client/site/card.tsx'), 'Card'),
  },
  '/login': { layout: 'solo', component: Login },
  '/configurar': { layout: 'solo', component: Setup },
  '/settings': {
    layout: 'site',
    component: onlyInBrowser(Settings, none),
    beforeLoad: onlyAdmin,
  },
  '/traer': {
    layout: 'site',
    component: onlyInBrowser(Import, none),
    loader: needs(...sections.map(entriesQuery)),
    beforeLoad: onlyAdmin,
  },
  '/inbox': { layout: 'site', component: onlyInBrowser(Inbox, none), beforeLoad: onlyAdmin },
}

type Layout = typeof root | typeof siteLayout | typeof soloLayout

const screensIn = (parent: Layout, layout: Screen['layout']) =>
  (Object.keys(screens) as PagePath[]).flatMap((path) => {
    const { layout: own, component, loader, beforeLoad } = screens[path]
    if (own !== layout) return []
    return createRoute({
      getParentRoute: () => parent,
      path,
      component,
      ...(loader && { loader }),
      ...(beforeLoad && { beforeLoad }),
    })
  })

const entryForms = sections.flatMap((section) => {
  const add = createRoute({
    getParentRoute: () => ownerForms,
    path: section.addPath,
    component: onlyInBrowser(EntryAdd, () => ({ section })),
  })
  const edit = createRoute({
    getParentRoute: () => ownerForms,
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
  redirect({ to: personForms[which].path, params: { id: only }, replace: true, throw: true })
}

const personRoutes = (['header', 'about'] as const).map((which) =>
  createRoute({
    getParentRoute: () => ownerForms,
    path: personForms[which].path,
    beforeLoad: ({ params }) => onlyPerson(which, params),
    component: onlyInBrowser(PersonEdit, () => ({ which })),
  }),
)

export const routeTree = root.addChildren([
  siteLayout.addChildren([...screensIn(siteLayout, 'site'), ...lists, unknown]),
  soloLayout.addChildren([
    ...screensIn(soloLayout, 'solo'),
    ownerForms.addChildren([...entryForms, ...personRoutes]),
  ]),
  ...screensIn(root, 'none'),
])
