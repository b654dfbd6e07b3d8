import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundleServers } from '#tests/support/bundle-servers.ts'
import { chromiumPath } from '#tests/support/chromium.ts'

/** Finds the browser, and bundles the server that the sites of the journeys run in, once for all workers. */
export default async function globalSetup(): Promise<() => void> {
  chromiumPath()
  const { folder, remove } = await bundleServers({
    'sites-in-turn': 'tests/support/sites-in-turn.ts',
  })
  // What draws the pages, and the client's files, are those of the build.
  symlinkSync(resolve('dist/client'), join(folder, '../client'))
  symlinkSync(resolve('dist/server/entry-server.js'), join(folder, 'entry-server.js'))
  process.env['TINTERO_SITES_IN_TURN'] = join(folder, 'sites-in-turn.js')
  return remove
}
