import { builtServer } from '#server/built-server.ts'
import { failureSentence } from '#server/failure-sentence.ts'
import { log, say } from '#server/log.ts'
import { startSite } from '#server/serve.ts'

/* The product in a process that, when one site has ended, is told to start the next: see `serveInTurn`. */

/** What the process is told. */
export type Order = { readonly env: NodeJS.ProcessEnv } | 'stop'

let running: Awaited<ReturnType<typeof startSite>> | undefined

async function obey(order: Order): Promise<void> {
  if (order === 'stop') {
    const ending = running
    running = undefined
    await ending?.stop()
    process.send?.('stopped')
  } else {
    running = await startSite(order.env, builtServer)
    await running.greet()
  }
}

process.on('message', (order: Order) => {
  obey(order).catch((error: unknown) => {
    say(failureSentence(error))
    process.exit(1)
  })
})
// As in a process of its own.
process.on('unhandledRejection', (error) => log('unhandled-rejection', { error: String(error) }))
// Whoever started it has ended.
process.on('disconnect', () => process.exit())
