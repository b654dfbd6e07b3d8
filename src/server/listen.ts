import { createServer, type Server } from 'node:net'
import { cliTexts } from '#contract/texts/cli.ts'
import { fill } from '#contract/text.ts'
import { readConfig, type Config } from './config.ts'

/** Where the site will be: its configuration, and the port that is held for it where the system chose one. */
interface Place {
  readonly config: Config
  readonly reserved?: Server
}

/**
 * The configuration of an environment, in which a port of the system's choice stands for port 0: links are made with it
 * before the site listens, so it is held from now on. Throws as `readConfig` and `listen` do.
 */
export async function reservePort(env: NodeJS.ProcessEnv): Promise<Place> {
  const config = readConfig(env)
  if (config.port !== 0) return { config }
  // Nobody knows of it yet.
  const reserved = createServer((stranger) => stranger.destroy())
  await listen(reserved, { config })
  const { port } = reserved.address() as { readonly port: number }
  return { config: readConfig({ ...env, PORT: String(port) }), reserved }
}

/** What to do where the system lets nobody listen. */
const refusals: Readonly<Record<string, string>> = {
  EADDRINUSE: cliTexts.portTaken,
  EACCES: cliTexts.portForbidden,
  EADDRNOTAVAIL: cliTexts.noHost,
  EAI_AGAIN: cliTexts.noHost,
  EINVAL: cliTexts.noHost,
  ENOTFOUND: cliTexts.noHost,
}

/** Has the server listen at the place. Throws, in a sentence for a person, where the system does not let it. */
export function listen(server: Server, { config: { port, host }, reserved }: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const { message } = error
      const said = fill(refusals[error.code ?? ''] ?? '{message}', { host, port, message })
      reject(new Error(said, { cause: error }))
    })
    if (reserved) server.listen(reserved, resolve)
    else server.listen(port, host, resolve)
  })
}
