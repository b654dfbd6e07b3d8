import type { Hono } from 'hono'
import { project } from './account.ts'
import { withoutKey, type GoogleState } from './state.ts'

const namespace = `v1/projects/${project.id}/namespaces`

/** Remote Config: the parameters, and a stream that tells of new ones. */
export function addRemoteConfig(app: Hono, state: GoogleState): void {
  app.post(`/firebaseremoteconfig.googleapis.com/${namespace}/firebase:fetch`, (c) => {
    const refused = withoutKey(c.req.raw)
    if (refused) return refused
    const { version, entries } = state.config
    const etag = `etag-${project.number}-firebase-fetch-${version}`
    c.header('ETag', etag)
    if (c.req.header('if-none-match') === etag) return c.json({ state: 'NO_CHANGE' })
    if (Object.keys(entries).length === 0) return c.json({ state: 'NO_TEMPLATE' })
    return c.json({ entries, state: 'UPDATE', templateVersion: String(version) })
  })
  const stream = `${namespace}/firebase:streamFetchInvalidations`
  app.post(`/firebaseremoteconfigrealtime.googleapis.com/${stream}`, async (c) => {
    const { lastKnownVersionNumber: known } = await c.req.json<{ lastKnownVersionNumber: string }>()
    return new Response(invalidations(state, Number(known) || 0), {
      headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
    })
  })
}

/** An array that never ends: one object for every new version. */
function invalidations({ config, listeners }: GoogleState, known: number): ReadableStream {
  let stop: () => void
  return new ReadableStream({
    start: (controller) => {
      const text = new TextEncoder()
      let before = '['
      const tell = (version: number) => {
        const notice = JSON.stringify({ latestTemplateVersionNumber: String(version) })
        controller.enqueue(text.encode(`${before}${notice}\r\n`))
        before = ','
      }
      listeners.add(tell)
      stop = () => void listeners.delete(tell)
      if (config.version > known) tell(config.version)
    },
    cancel: () => stop(),
  })
}
