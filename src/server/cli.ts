#!/usr/bin/env node
import { cliTexts } from '#contract/texts/cli.ts'
import { fill } from '#contract/text.ts'

/* The program `tintero`. It loads the rest only on a Node that can run it, so that an older one is told in a sentence. */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 15)) {
  const { runCommand } = await import('./cli/commands.ts')
  // The folder above is the package's, from the sources as in the build.
  const manifest = new URL('../../package.json', import.meta.url)
  await runCommand(process.argv.slice(2), { env: process.env, manifest })
} else {
  process.stderr.write(`${fill(cliTexts.oldNode, { version: process.versions.node })}\n`)
  process.exitCode = 1
}
