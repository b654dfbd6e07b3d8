import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { meantForHeader } from '#tests/support/reroute.ts'
import { addInstallations } from './installations.ts'
import { addMessaging } from './messaging.ts'
import { addRemoteConfig } from './remote-config.ts'
import { addSignIn } from './sign-in.ts'
import type { GoogleState } from './state.ts'
import { addStorage } from './storage.ts'

/** Google's hosts as far as the product calls them, in memory: `fetch` answers what is meant for them. */
export interface GoogleDouble {
  readonly state: GoogleState
  /** Like the global `fetch`, for code that takes one. */
  readonly fetch: typeof fetch
  /** Answers a request that came through a socket, by its host. */
  answer(request: Request): Response | Promise<Response>
  /** Publishes other parameters, as the console does. */
  publish(entries: Readonly<Record<string, string>>): void
}

export function createGoogleDouble(): GoogleDouble {
  const state: GoogleState = {
    calls: [],
    failures: [],
    installations: new Map(),
    registrations: new Map(),
    sent: [],
    deliver: async () => true,
    accessTokens: new Set(),
    config: { version: 1, entries: {} },
    listeners: new Set(),
    files: new Map(),
  }
  const app = new Hono({
    getPath: (request) => `/${hostOf(request)}${new URL(request.url).pathname}`,
  })
  // A connection that breaks is no answer of 500.
  app.onError((error) => {
    throw error
  })
  app.use(
    cors({
      origin: '*',
      exposeHeaders: ['ETag', 'Retry-After', 'X-Goog-Upload-Status', 'X-Goog-Upload-URL'],
    }),
  )
  app.use(async (c, next) => {
    const url = new URL(c.req.url)
    const { method, headers } = c.req.raw
    const call = { method, host: hostOf(c.req.raw), path: url.pathname + url.search, headers }
    state.calls.push(call)
    const failing = state.failures.findIndex(({ when }) => when(call))
    const [failure] = failing < 0 ? [] : state.failures.splice(failing, 1)
    return failure ? failure.answer() : next()
  })
  for (const add of [addInstallations, addMessaging, addRemoteConfig, addSignIn, addStorage]) {
    add(app, state)
  }
  return {
    state,
    answer: (request) => app.fetch(request),
    fetch: async (input, init) => app.fetch(new Request(input, init)),
    publish: (entries) => {
      state.config = { version: state.config.version + 1, entries }
      for (const tell of state.listeners) tell(state.config.version)
    },
  }
}

/** The host a request is meant for, whichever way it came. */
function hostOf(request: Request): string {
  const meant = request.headers.get(meantForHeader)
  return meant === null ? new URL(request.url).hostname : new URL(meant).hostname
}
