#!/usr/bin/env node
import { cliTexts } from '#contract/texts/cli.ts'
import { fill } from '#contract/text.ts'

/*
 * The program `tintero`. It loads the rest only on a Node that can run it, so that an older one is told in a sentence, and so
 * is an installation that lacks what the rest needs.
 */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 15)) {
  const commands = await import('./cli/commands.ts').catch((error: Error) => {
    const [message = ''] = error.message.split('\n')
    refuse(fill(cliTexts.incomplete, { message }))
  })
  // The folder above is the package's, from the sources as in the build.
  const manifest = new URL('../../package.json', import.meta.url)
  await commands?.runCommand(process.argv.slice(2), { env: process.env, manifest })
} else refuse(fill(cliTexts.oldNode, { version: process.versions.node }))

function refuse(why: string): void {
  process.stderr.write(`${why}\n`)
  process.exitCode = 1
}
