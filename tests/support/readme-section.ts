import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Section } from '#contract/sections/section.ts'
import type { Sources } from './builds.ts'

/** Adds the section of the README's example to a copy of the sources, as the README says to; resolves to its definition. */
export async function addReadmeSection({ folder }: Sources): Promise<Section> {
  const [, part = ''] = readFileSync('README.md', 'utf8').split('## Add a section')
  const blocks = part.split('\n## ')[0]?.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g) ?? []
  const written: string[] = []
  for (const [, file = '', code = ''] of blocks) {
    writeFileSync(join(folder, file), code)
    written.push(file)
  }
  const [definition = ''] = written
  const made = (await import(join(folder, definition))) as Readonly<Record<string, Section>>
  const [section] = Object.values(made)
  if (!section) throw new Error('the README defines no section')
  return section
}
