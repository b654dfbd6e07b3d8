import type { Server } from 'node:http'
import type { BuiltWith } from '#contract/firebase.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { readBuiltWith, readClientBuild } from './pages/client-build.ts'
import { pagesAccount } from './firebase/pages-account.ts'
import { createHttpServer } from './edge/listener.ts'
import { say } from './log.ts'
import type { Services } from './services.ts'
import { createSite } from './site.ts'

/** Visitors can be served without the account, so what is wrong with it is said and does not stop the start. */
function sayTrouble({ config, log, pagesProject }: Services): void {
  const found = pagesAccount(config.firebase, pagesProject)
  if (found.account) return
  if (!config.firebase) return say(cliTexts.noFirebaseAccount)
  log('firebase-other-project', { account: config.firebase.projectId, pages: pagesProject })
  say(found.trouble)
}

function needsAccount({ services: used }: BuiltWith): boolean {
  return used.includes('push') || used.includes('images')
}

/** The server of the built product, whose client is in `dist/client`. Rejects where that has not been built. */
export async function builtServer(opened: Services): Promise<Server> {
  const told = await readBuiltWith()
  const { projectId: pagesProject } = told
  const services = { ...opened, ...(pagesProject !== undefined && { pagesProject }) }
  if (needsAccount(told)) sayTrouble(services)
  return createHttpServer(createSite(services, await readClientBuild(services.config, told)))
}
