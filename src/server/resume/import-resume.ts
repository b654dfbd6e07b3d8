import { v7 as newId } from 'uuid'
import { emptyValues, type FieldValues, type Fields } from '#contract/fields.ts'
import { personId } from '#contract/limits.ts'
import { personFields } from '#contract/person/person.ts'
import { problems } from '#contract/problem.ts'
import {
  effectOf,
  inMakingOrder,
  keptItems,
  takenOf,
  type Decision,
  type Effect,
} from '#contract/resume/decisions.ts'
import { keepable } from '#contract/resume/keepable.ts'
import { dividedImports, partsOf, type KeptItem, type KeptResume } from '#contract/resume/kept.ts'
import { presetSides, proposalsOf, type Proposal, type Shown } from '#contract/resume/proposals.ts'
import { readResume, type Resume } from '#contract/resume/resume.ts'
import type { Section } from '#contract/sections/section.ts'
import { checkSettings } from '#contract/settings/kinds.ts'
import { settingsOf } from '#contract/settings/settings.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { importTexts } from '#contract/texts/import.ts'
import { checkValues, checkPatch, lenient } from '#contract/validate.ts'
import { createEntry, updateEntry } from '../db/entries.ts'
import { updatePerson } from '../db/person.ts'
import { writeSettings } from '../db/settings.ts'
import { readSite } from '../db/site-data.ts'
import {
  countResumes,
  dropKeptResume,
  keepResume,
  listKeptResumes,
  mostKeptParts,
} from '../db/kept-resumes.ts'
import { noteChange, type Thing } from '../db/last-changes.ts'
import type { Executor } from '../db/tables.ts'

/** Nobody's device: the command line. */
const device = ''

/** What became of a résumé's parts. */
interface ImportedResume {
  readonly added: number
  readonly combined: number
  readonly left: number
  /** What the site cannot show, by name: too long for its place, or without what a place needs. */
  readonly unfit: readonly string[]
  readonly isPictureLeft: boolean
}

/** What the settings would propose: new things are added, of known ones only what the site does not say yet. */
const presetOf = (proposal: Proposal): Decision => ({
  choice: proposal.preset,
  sides: presetSides(proposal),
})

/**
 * Takes a résumé into the site, in one transaction of the caller's. Whatever has no place there is kept word for word, and
 * comes out again with the owner's own résumé. Throws, in a sentence for a person, when the site takes nothing.
 */
export async function importResume(
  x: Executor,
  resume: Resume,
  now: Date,
): Promise<ImportedResume> {
  const site = await readSite(x)
  const settings = settingsOf(site.settings)
  if (settings.maintenance_readonly === 'true') throw new Error(problems.mantenimiento[2])
  const { resume: kept, isPictureLeft } = keepable(resume) ?? tooLarge()
  const read = readResume(kept)
  const shown: Shown = {
    person: site.person,
    settings,
    entries: ({ key }) => site.entries[key] ?? [],
  }
  const proposals = proposalsOf(read, shown).map((one) =>
    fits(one) ? one : { ...one, isDraft: true },
  )
  const ids = new Map<Proposal, string>()
  const unfit: string[] = []
  const counts = { add: 0, combine: 0, draft: 0, leave: 0 }
  for (const proposal of inMakingOrder(proposals)) {
    const { section, known } = proposal
    const { effect, isWhole } = section
      ? await applyToEntry(x, { proposal, section, ids, now })
      : await applyToProfile(x, proposal, now)
    if (known) ids.set(proposal, known.id)
    if (!isWhole || isCut(proposal)) unfit.push(nameOf(proposal))
    counts[effect]++
  }
  const items = keptItems({ read, proposals, decisionOf: presetOf }, ids).map(asItCame)
  const parts = partsOf({ rest: read.rest, items, importId: newId() }) ?? tooLarge()
  await keepParts(x, parts, now)
  return { added: counts.add, combined: counts.combine, left: counts.leave, unfit, isPictureLeft }
}

/** Keeps an import, in place of one that says the same word for word. Throws where a site keeps no more. */
async function keepParts(x: Executor, parts: readonly KeptResume[], now: Date): Promise<void> {
  const said = sayingOf(parts)
  for (const before of dividedImports(await listKeptResumes(x))) {
    if (sayingOf(before) !== said) continue
    for (const { id } of before) await dropKeptResume(x, id)
  }
  for (const part of parts) {
    const row = { id: newId(), said: JSON.stringify(part), made_at: now.toISOString() }
    await keepResume(x, row)
  }
  if ((await countResumes(x)) > mostKeptParts) throw new Error(cliTexts.importFull)
}

/** What an import says, whenever it was made. */
function sayingOf(parts: readonly KeptResume[]): string {
  return JSON.stringify(parts.map(({ rest, items }) => ({ rest, items })))
}

function tooLarge(): never {
  throw new Error(importTexts.tooLargeItem)
}

/** An item of which nothing was made speaks for itself, and a second import of it is no second item. */
function asItCame({ isWaiting, ...item }: KeptItem): KeptItem {
  return isWaiting && item.ids.every((id) => !id) ? { ...item, ids: [] } : item
}

const nameOf = ({ section, values }: Proposal) =>
  section ? values[section.display.title] || importTexts.noName : importTexts.profile

/** Whether the site goes on saying nothing where the file has too much to say. */
const isCut = ({ differences, excess }: Proposal) =>
  differences.some(({ name, here }) => here === '' && excess.some((one) => one.name === name))

const asked = ({ fields, display }: Section): Fields => lenient(fields, display.title)

/** Whether a new entry can be made of it. */
function fits({ section, known, values }: Proposal): boolean {
  return !section || known !== undefined || checkValues(asked(section), 'create', values).ok
}

interface Applied {
  readonly effect: Effect
  /** Whether the site says all of it now. */
  readonly isWhole: boolean
}

interface ToEntry {
  readonly proposal: Proposal
  readonly section: Section
  readonly ids: Map<Proposal, string>
  readonly now: Date
}

async function applyToEntry(
  x: Executor,
  { proposal, section, ids, now }: ToEntry,
): Promise<Applied> {
  const { known, values } = proposal
  const effect = effectOf(proposal, presetOf(proposal))
  const note = (id: string) => noteChange(x, { kind: section.key, id }, { now, device })
  if (effect === 'draft') ids.set(proposal, '')
  if (effect === 'add') {
    const checked = checkValues(asked(section), 'create', {
      ...emptyValues(section.fields),
      ...values,
    })
    if (!checked.ok) return { effect: 'draft', isWhole: false }
    const { id } = await createEntry(x, section, { values: checked.value })
    ids.set(proposal, id)
    await note(id)
  }
  if (effect === 'combine' && known) {
    const taken = takenOf(proposal, presetOf(proposal))
    const { values: patch, isWhole } = usable(asked(section), taken)
    if (Object.keys(patch).length === 0) return { effect: 'leave', isWhole }
    await updateEntry(x, section, { id: known.id, patch, now })
    await note(known.id)
    return { effect, isWhole }
  }
  return { effect, isWhole: effect !== 'draft' }
}

async function applyToProfile(x: Executor, proposal: Proposal, now: Date): Promise<Applied> {
  const taken = takenOf(proposal, presetOf(proposal))
  const effect = effectOf(proposal, presetOf(proposal))
  if (effect === 'leave') return { effect, isWhole: true }
  const person = usable(
    lenient(personFields),
    only(taken, (name) => name in personFields),
  )
  const named = only(taken, (name) => !(name in personFields))
  const settings = checkSettings(named)
  const note = (thing: Thing) => noteChange(x, thing, { now, device })
  if (Object.keys(person.values).length > 0) {
    await updatePerson(x, { patch: person.values, now })
    await note({ kind: 'person', id: String(personId) })
  }
  if (settings.ok && Object.keys(settings.value).length > 0) await writeSettings(x, settings.value)
  return { effect, isWhole: person.isWhole && settings.ok }
}

/** What of the values may be stored. */
function usable(fields: Fields, values: FieldValues) {
  const checked = checkPatch(fields, values)
  if (checked.ok) return { values: checked.value, isWhole: true }
  const rest = checkPatch(
    fields,
    only(values, (name) => checked.errors[name] === undefined),
  )
  return { values: rest.ok ? rest.value : {}, isWhole: false }
}

function only(values: FieldValues, isMeant: (name: string) => boolean): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isMeant(name)))
}
