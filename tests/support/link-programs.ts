import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/*
 * `node tests/support/link-programs.ts FILE…` loads all that each program imports, as Node does before the program begins, and
 * lets none of them do anything. Says which could not begin.
 */

const stopped = 'This program is only linked.'
const programs = process.argv.slice(2).map((file) => pathToFileURL(resolve(file)).href)
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!programs.includes(url)) return loaded
    const code = readFileSync(fileURLToPath(url), 'utf8')
    return { ...loaded, source: `throw '${stopped}';\n${code}` }
  },
})
for (const program of programs) {
  try {
    await import(program)
    throw new Error('it ran')
  } catch (cause) {
    if (cause === stopped) continue
    process.stderr.write(`${program}: ${String(cause)}\n`)
    process.exitCode = 1
  }
}
// What they import may hold the process.
process.exit()
