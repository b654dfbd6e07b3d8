import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { bundleServers } from './bundle-servers.ts'

/* The servers and the command that tests start and kill many times, bundled by Vitest before the first test file. */

const entries = {
  'calls-server': 'tests/support/calls-server.ts',
  'site-server': 'tests/support/site-server.ts',
  cli: 'src/server/cli.ts',
} as const

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the bundled servers are. */
    serverFolder: string
  }
}

/** The file to start. */
export const serverEntry = (name: keyof typeof entries): string =>
  join(inject('serverFolder'), `${name}.js`)

/** Vitest's global set-up: provides `serverFolder` to every test file and returns how to remove it. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  const { folder, remove } = await bundleServers(entries)
  provide('serverFolder', folder)
  return remove
}
