import { QueryClient } from '@tanstack/react-query'
import { v7 as newId } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emptyValues } from '#contract/fields.ts'
import { effectOf, keptItems, type Decision } from '#contract/resume/decisions.ts'
import { presetSides, proposalsOf, type Proposal, type Shown } from '#contract/resume/proposals.ts'
import { readResume, resumeOf, type Resume } from '#contract/resume/resume.ts'
import { project } from '#contract/sections/project.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { setSession } from '#client/data/session.ts'
import { dropAllDrafts, saveDraft, unsentDrafts } from '#client/owner/drafts/entry-drafts.ts'
import { newForm } from '#client/owner/editor/form-keys.ts'
import { applyImport } from '#client/owner/import/apply-import.ts'
import { dropRecords } from '#client/owner/import/import-records.ts'
import { readBroughtBefore } from '#client/owner/import/brought-before.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'
import { siteData } from '#tests/support/site-data.ts'

/* One file that is brought in twice: what the first time left is recognized the second. */

beforeEach(() => {
  keepingDevice()
  setSession({ token: 't', account: 'a-1', userName: 'ana', roles: [], isExpired: false })
})
afterEach(async () => {
  await Promise.all([dropAllDrafts(), dropRecords()])
  vi.unstubAllGlobals()
})

const site = { ...siteData(), entries: {} }
const long = { name: 'Mapa de bibliotecas populares de la región', description: ' De la costa ' }
const file: Resume = { projects: [long, { ...long, name: `${long.name} y del país` }] }
const presetOf = (proposal: Proposal): Decision => ({
  choice: proposal.preset,
  sides: presetSides(proposal),
})

/** What the file proposes to a site with these projects, with what was brought in before. */
async function proposed(projects: readonly Entry[] = [], resume = file) {
  const { person, settings } = site
  const entries = (section: Section) => (section === project ? projects : [])
  const shown: Shown = { person, settings, entries, before: await readBroughtBefore() }
  const read = readResume(resume)
  return { read, shown, proposals: proposalsOf(read, shown) }
}

/** Brings the file in as it is proposed. */
async function bring(...given: Parameters<typeof proposed>) {
  const made = await proposed(...given)
  const queryClient = new QueryClient()
  return applyImport({
    id: newId(),
    name: 'resume.json',
    ...made,
    decisionOf: presetOf,
    queryClient,
  })
}

const namesOf = async () => (await unsentDrafts()).map(({ draft }) => draft.fields['name'])

test('what is too long is a draft once, also where she has shortened it meanwhile', async () => {
  expect((await bring()).drafts).toHaveLength(2)
  expect((await proposed()).proposals).toMatchObject([
    { isDraft: true, isWaiting: true, preset: 'leave' },
    { isDraft: true, isWaiting: true, preset: 'leave' },
  ])
  expect((await bring()).drafts).toEqual([])
  const [one] = await unsentDrafts()
  if (!one) throw new Error('no draft was left')
  const fields = { ...one.draft.fields, name: 'Mapa corto' }
  await saveDraft(one.place, { ...one.draft, fields })
  expect(await bring()).toMatchObject({ drafts: [], created: [], parts: [] })
  expect(await namesOf()).toHaveLength(2)
})

test('an entry that was made of it is known, whatever she calls it by now', async () => {
  const { drafts } = await bring()
  // The newest project stands first: the first of the file was made last.
  const [second, first] = drafts.map(({ id, fields }) => ({ id, version: 1, fields: fields ?? {} }))
  if (!first || !second) throw new Error('no drafts were left')
  const published = { ...first, fields: { ...first.fields, name: 'Mapa corto' } }
  await dropAllDrafts()
  const { proposals } = await proposed([published, { ...second, id: 'another' }])
  const known = proposals.map((one) => one.known?.id)
  expect(known).toEqual([first.id, 'another'])
  // The file's name is too long still, so that hers stays.
  expect(proposals[0] && effectOf(proposals[0], presetOf(proposals[0]))).toBe('leave')
})

test('what she typed herself into the form is the same, and what says anything else is not', async () => {
  const typed = { name: `${long.name} `, description: 'De la costa', image: '' }
  await saveDraft(newForm(project), { id: 'd-1', version: 0, fields: typed })
  const presets = async () => (await proposed()).proposals.map(({ preset }) => preset)
  expect(await presets()).toEqual(['leave', 'add'])
  const fields = { ...typed, repo: 'https://example.com/mapa' }
  await saveDraft(newForm(project), { id: 'd-1', version: 0, fields })
  expect(await presets()).toEqual(['add', 'add'])
})

test('what waits or has no place is in her résumé once, however often it is brought in', () => {
  const resume: Resume = {
    projects: [long],
    work: [{ location: 'Quito' }],
    skills: [{ level: 'Alto' }],
    volunteer: [{ organization: 'Radio' }],
  }
  const read = readResume(resume)
  const { person, settings } = site
  const proposals = proposalsOf(read, { person, settings, entries: () => [] })
  const kept = ['d-1', 'd-2'].map((id) => {
    const ids = new Map(proposals.map((proposal) => [proposal, id] as const))
    return { rest: read.rest, items: keptItems({ read, proposals, decisionOf: presetOf }, ids) }
  })
  expect(resumeOf(site, { publicUrl: 'https://lucia.example', kept })).toMatchObject(resume)
})

test('what a file says beyond an entry that is there already is kept with it, as the command keeps it', async () => {
  const fields = { ...emptyValues(project.fields), name: 'Mareas', description: 'De la costa.' }
  const there = { id: newId(), version: 1, fields }
  const { name, description } = fields
  const { created, updated, parts } = await bring([there], {
    projects: [{ name, description, highlights: ['Un premio'] }],
  })
  expect([created, updated]).toEqual([[], []])
  expect(parts).toHaveLength(1)
})
