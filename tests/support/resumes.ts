import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { v7 as newId } from 'uuid'
import type { SiteData } from '#contract/api.ts'
import { emptyValues } from '#contract/fields.ts'
import { personFields } from '#contract/person/person.ts'
import type { FieldValues } from '#contract/fields.ts'
import { keptItems, takenOf } from '#contract/resume/decisions.ts'
import type { KeptResume } from '#contract/resume/kept.ts'
import { presetSides, proposalsOf, type Proposal } from '#contract/resume/proposals.ts'
import type { ReadResume, Resume } from '#contract/resume/resume.ts'
import { sections } from '#contract/sections/index.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import type { JsonObject } from '#contract/json.ts'

const folder = createRequire(import.meta.url).resolve('@jsonresume/schema/package.json')
const fileAt = (path: string) =>
  JSON.parse(readFileSync(folder.replace('package.json', path), 'utf8')) as JsonObject

/** The official examples, by name. */
export const exampleResumes: readonly (readonly [string, Resume])[] = [
  'examples/career-changer.resume.json',
  'examples/new-grad.resume.json',
  'examples/senior-engineer.resume.json',
  'sample.resume.json',
].map((path) => [path, fileAt(path)])

// Of RFC 5321 and RFC 3986 the parts that the format's readers look at.
const formats = {
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z\d+.-]*:(?:[\w\-.~:/?#@!$&'()*+,;=]|%[\da-f]{2})*$/i,
}
const validate = new Ajv({ formats, strict: false }).compile(fileAt('schema.json'))

/** What the official schema has against a résumé; nothing when it is valid. */
export function schemaErrors(resume: unknown): unknown {
  validate(resume)
  return validate.errors ?? []
}

/** A fresh site into which everything of the résumé was taken as it is proposed, drafts too, and what was kept of it. */
export function taken(read: ReadResume): { readonly site: SiteData; readonly kept: KeptResume } {
  const person = { version: 1, fields: emptyValues(personFields) }
  const settings = defaultSettings
  const proposals = proposalsOf(read, { person, settings, entries: () => [] })
  const decisionOf = (proposal: Proposal) => ({
    choice: proposal.preset,
    sides: presetSides(proposal),
  })
  const made = proposals.flatMap((proposal) => {
    const { section, values } = proposal
    if (!section) return []
    const fields = { ...emptyValues(section.fields), ...values }
    return [{ proposal, section, entry: { id: newId(), version: 1, fields } }]
  })
  const ids = new Map(made.map(({ proposal, entry }) => [proposal, entry.id]))
  const profile = proposals
    .filter(({ section }) => !section)
    .map((proposal) => takenOf(proposal, decisionOf(proposal)))
  const said = Object.assign({}, ...profile) as FieldValues
  const only = (fields: object) =>
    Object.fromEntries(Object.entries(said).filter(([name]) => name in fields))
  return {
    site: {
      person: { ...person, fields: { ...person.fields, ...only(person.fields) } },
      settings: { ...settings, ...only(settings) },
      entries: Object.fromEntries(
        sections.map(({ key, order }) => {
          const own = made.filter(({ section }) => section.key === key).map(({ entry }) => entry)
          return [key, order === 'newest-first' ? own.toReversed() : own]
        }),
      ),
    },
    kept: { rest: read.rest, items: keptItems({ read, proposals, decisionOf }, ids) },
  }
}
