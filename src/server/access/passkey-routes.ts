import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { accessCalls, maxPasskeyName } from '#contract/access/access.ts'
import { cleanText, composed, fill, isBlank, isStorable, lengthOf } from '#contract/text.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import type { JsonObject } from '#contract/json.ts'
import type { SiteOfKeys } from './passkeys.ts'
import type { Services } from '../services.ts'
import { deviceOf, readTexts } from './routes.ts'
import { readJson } from '../api/body.ts'
import type { AppEnv } from '../api/env.ts'
import { clientAddress, requireAdmin } from '../api/guard.ts'
import { pageOf } from '../api/page-of.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'
import { limitWrites } from '../api/rate-limits.ts'

type Asked = Pick<Context<AppEnv>, 'req'>

/** The calls of passkeys: signing in with one, and hers to add, name and remove. */
export function passkeyRoutes(services: Services): Hono<AppEnv> {
  const { config } = services
  const { passkeys } = services.auth
  const app = new Hono<AppEnv>()
  const siteOf = (c: Asked) => siteOfKeys(c, config.publicUrl)
  const hers = [requireAdmin(services), limitWrites(services)] as const

  app.post(`/${accessCalls.passkeyChallenge}`, async (c) => {
    const site = siteOf(c)
    await readJson(c)
    return c.json(await passkeys.toSignIn(site), 200, noStore)
  })

  app.post(`/${accessCalls.passkeySignIn}`, async (c) => {
    const site = siteOf(c)
    const { response } = read(signed, await readJson(c))
    const attempt = { response, address: clientAddress(c, config), device: deviceOf(c) }
    return c.json(await passkeys.signIn(site, attempt), 200, noStore)
  })

  app.get(`/${accessCalls.passkeys}`, requireAdmin(services), async (c) =>
    c.json(await passkeys.list(c.var.session), 200, noStore),
  )

  app.post(`/${accessCalls.passkeyOptions}`, ...hers, async (c) => {
    const site = siteOf(c)
    const [currentPassword] = readTexts(await readJson(c), 'currentPassword')
    return c.json(await passkeys.toAdd(c.var.session, site, currentPassword), 200, noStore)
  })

  app.post(`/${accessCalls.passkeys}`, ...hers, async (c) => {
    const site = siteOf(c)
    const { response } = read(made, await readJson(c))
    const name = deviceOf(c) || accessTexts.keyName
    return c.json(await passkeys.add(c.var.session, site, { response, name }), 201, noStore)
  })

  app.put(`/${accessCalls.passkeys}/:id`, ...hers, async (c) => {
    const name = nameIn(await readJson(c))
    if (!(await passkeys.rename(c.req.param('id'), name))) throw new Problem('no-encontrado')
    return c.body(null, 204, noStore)
  })

  app.delete(`/${accessCalls.passkeys}/:id`, ...hers, async (c) => {
    if (!(await passkeys.remove(c.req.param('id')))) throw new Problem('no-encontrado')
    return c.body(null, 204, noStore)
  })

  return app
}

/**
 * The site of the browser's page. It is the public address alone; while none is set, it is the address of the
 * request, so that a first try on one's own machine works.
 */
function siteOfKeys(c: Asked, publicUrl: string): SiteOfKeys {
  const origin = c.req.header('origin') ?? ''
  const url = URL.parse(origin)
  const isUnset = URL.parse(publicUrl)?.hostname === 'localhost'
  const isOurs = origin === publicUrl || (isUnset && url?.host === c.req.header('host'))
  if (!url || !isOurs || pageOf(c, publicUrl) !== 'ours') throw new Problem('prohibido')
  return { origin, rpId: url.hostname }
}

const short = v.pipe(v.string(), v.maxLength(2048))
const text = v.pipe(v.string(), v.maxLength(16_384))
/** In base64url: PostgreSQL refuses even to look for what it could not hold. */
const id = v.pipe(short, v.regex(/^[\w-]*={0,2}$/))
const credential = {
  id,
  rawId: id,
  type: v.literal('public-key'),
  clientExtensionResults: v.optional(v.object({}), {}),
}

/** The part of the browsers' answer that is checked. */
const signed = v.object({
  response: v.object({
    ...credential,
    response: v.object({
      clientDataJSON: text,
      authenticatorData: text,
      signature: text,
      userHandle: v.exactOptional(short),
    }),
  }),
})

const made = v.object({
  response: v.object({
    ...credential,
    response: v.object({
      clientDataJSON: text,
      attestationObject: text,
      transports: v.exactOptional(
        v.pipe(v.array(v.pipe(v.string(), v.maxLength(32))), v.maxLength(10)),
      ),
    }),
  }),
})

function read<const Schema extends v.GenericSchema>(
  schema: Schema,
  body: JsonObject,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, body)
  if (parsed.success) return parsed.output
  throw new Problem('datos-no-validos', { errors: { response: fieldErrors.required } })
}

/** The name in a body, as it is stored. */
function nameIn(body: JsonObject): string {
  const [given] = readTexts(body, 'name')
  const isLong = lengthOf(given) > maxPasskeyName
  const name = isLong || !isStorable(given) ? '' : composed(cleanText(given))
  if (!isLong && !isBlank(name)) return name
  const mensaje = isLong ? fill(fieldErrors.tooLong, { n: maxPasskeyName }) : fieldErrors.required
  throw new Problem('datos-no-validos', { errors: { name: mensaje } })
}
