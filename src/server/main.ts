import type { BuiltWith } from '#contract/firebase.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { readBuiltWith, readClientBuild } from './pages/client-build.ts'
import { pagesAccount } from './firebase/pages-account.ts'
import { createHttpServer } from './edge/listener.ts'
import type { Services } from './services.ts'
import { serve } from './serve.ts'
import { createSite } from './site.ts'

/* The built product: `dist/server/main.js`, with the client's files beside it in `dist/client`. */

/** Visitors can be served without the account, so what is wrong with it is said and does not stop the start. */
function sayTrouble({ config, log, pagesProject }: Services): void {
  const found = pagesAccount(config.firebase, pagesProject)
  if (found.account) return
  if (!config.firebase) return void process.stderr.write(`${cliTexts.noFirebaseAccount}\n`)
  log('firebase-other-project', { account: config.firebase.projectId, pages: pagesProject })
  process.stderr.write(`${found.trouble}\n`)
}

function needsAccount({ services: used }: BuiltWith): boolean {
  return used.includes('push') || used.includes('images')
}

await serve(async (opened) => {
  const told = await readBuiltWith()
  const { projectId: pagesProject } = told
  const services = { ...opened, ...(pagesProject !== undefined && { pagesProject }) }
  if (needsAccount(told)) sayTrouble(services)
  return createHttpServer(createSite(services, await readClientBuild(services.config, told)))
})
