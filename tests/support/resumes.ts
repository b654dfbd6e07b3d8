import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { v7 as newId } from 'uuid'
import type { SiteData } from '#contract/api.ts'
import { emptyValues } from '#contract/fields.ts'
import { personFields } from '#contract/person/person.ts'
import type { KeptResume } from '#contract/resume/kept.ts'
import type { ReadResume, Resume } from '#contract/resume/resume.ts'
import { sections } from '#contract/sections/index.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import type { Entry } from '#contract/sections/section.ts'
import type { JsonObject } from '#contract/json.ts'

const folder = createRequire(import.meta.url).resolve('@jsonresume/schema/package.json')
const read = (path: string) =>
  JSON.parse(readFileSync(folder.replace('package.json', path), 'utf8')) as JsonObject

/** The official examples, by name. */
export const exampleResumes: readonly (readonly [string, Resume])[] = [
  'examples/career-changer.resume.json',
  'examples/new-grad.resume.json',
  'examples/senior-engineer.resume.json',
  'sample.resume.json',
].map((path) => [path, read(path)])

// Of RFC 5321 and RFC 3986 the parts that the format's readers look at.
const formats = {
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z\d+.-]*:(?:[\w\-.~:/?#@!$&'()*+,;=]|%[\da-f]{2})*$/i,
}
const validate = new Ajv({ formats, strict: false }).compile(read('schema.json'))

/** What the official schema has against a résumé; nothing when it is valid. */
export function schemaErrors(resume: unknown): unknown {
  validate(resume)
  return validate.errors ?? []
}

/** A fresh site into which everything of the résumé was taken, and what was kept of it. */
export function taken({ person, settings, items, rest }: ReadResume): {
  readonly site: SiteData
  readonly kept: KeptResume
} {
  const names = new Set<string>()
  const made = items.map((found) => {
    const { section, entries } = found
    return {
      ...found,
      entries: entries.map((values): Entry | undefined => {
        const name = (values['name'] ?? '').toLowerCase()
        if (section.key === 'skill' && names.has(name)) return undefined
        names.add(name)
        return { id: newId(), version: 1, fields: { ...emptyValues(section.fields), ...values } }
      }),
    }
  })
  const entries = Object.fromEntries(
    sections.map(({ key, order }) => {
      const own = made.filter(({ section }) => section.key === key)
      const shown = own.flatMap((one) => one.entries.filter((entry) => entry !== undefined))
      return [key, order === 'newest-first' ? shown.toReversed() : shown]
    }),
  )
  const fields = { ...emptyValues(personFields), ...person }
  return {
    site: {
      person: { version: 1, fields },
      settings: { ...defaultSettings, ...settings },
      entries,
    },
    kept: {
      rest,
      items: made.map(({ member, item, entries: own }) => ({
        member,
        item,
        ids: own.map((entry) => entry?.id ?? null),
      })),
    },
  }
}
