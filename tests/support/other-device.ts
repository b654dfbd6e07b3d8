import type { TestApp } from './app.ts'
import { owner } from './site.ts'

/** Calls as the owner on another device of hers. */
export async function onPhone({ services, call }: TestApp): Promise<TestApp['asOwner']> {
  const device = 'Safari en iPhone'
  const { token } = await services.auth.login({ ...owner, address: '', device })
  const authorization = `Bearer${token}`
  return (method, path, { headers, ...rest } = {}) =>
    call(method, path, { ...rest, headers: { authorization, ...headers } })
}
