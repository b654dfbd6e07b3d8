import { v7 as newId } from 'uuid'
import type { FieldValues } from '#contract/fields.ts'
import type { Decision } from '#contract/resume/decisions.ts'
import { choicesOf, presetSides, type Proposal } from '#contract/resume/proposals.ts'
import { ownedBy } from '#client/outbox/owned-drafts.ts'
import { dropDraft, saveDraft } from '#client/owner/drafts/entry-drafts.ts'
import type { OpenDraft } from '#client/owner/editor/draft-start.ts'

/*
 * What she decides about a file is kept as what she types into a form is: a draft of texts, one for each proposal that she
 * decided about, with the file in the place of a picture. So it outlives the page, is hers alone, and is one tab's at a time.
 */

/** The name under which the page that brings data in keeps its draft. */
export const importForm = 'import'

export interface ImportPlan {
  /** The id of the import that becomes of it. */
  readonly id: string
  readonly file: File
  /** Whose it is; empty where no account is known. */
  readonly account: string
  /** What she decided in an earlier page; undefined for a file that she has just chosen. */
  readonly decided?: FieldValues | undefined
}

/** A plan for a file that nothing is decided about. */
export const newPlan = (file: File, { account }: OpenDraft): ImportPlan => ({
  id: newId(),
  file,
  account,
})

/** The plan that an earlier page left. */
export function keptPlan({ draft, picture, account }: OpenDraft): ImportPlan | undefined {
  return draft && picture && { id: draft.id, file: picture.whole, account, decided: draft.fields }
}

/** What is decided about each proposal. */
export type Decisions = ReadonlyMap<Proposal, Decision>

/** What holds as long as she says nothing else. */
export const presetOf = (proposal: Proposal): Decision => ({
  choice: proposal.preset,
  sides: presetSides(proposal),
})

/** What holds of each proposal after what she decided before. */
export function decisionsOf(proposals: readonly Proposal[], decided: FieldValues = {}): Decisions {
  return new Map(proposals.map((one) => [one, decisionOf(one, decided[one.key])]))
}

function decisionOf(proposal: Proposal, said: string | undefined): Decision {
  const preset = presetOf(proposal)
  if (said === undefined) return preset
  const { choice, sides } = JSON.parse(said) as Decision
  // Her site may have changed since, so that something else is to be decided about it.
  if (!choicesOf(proposal).includes(choice)) return preset
  return { choice, sides: { ...preset.sides, ...sides } }
}

/** Keeps a plan on this device, the file only with the first word about it; resolves to whether it is there. */
export function keepPlan(
  place: string,
  { id, file, account, isNew }: ImportPlan & { readonly isNew: boolean },
  decisions: Decisions,
): Promise<boolean> {
  const fields = [...decisions].flatMap(([proposal, decision]) => {
    const said = JSON.stringify(decision)
    const isPreset = said === JSON.stringify(presetOf(proposal))
    return isPreset ? [] : [[proposal.key, said] as const]
  })
  const draft = { ...ownedBy(account), id, version: 0, fields: Object.fromEntries(fields) }
  return saveDraft(place, draft, isNew ? file : undefined)
}

/** Forgets it: it was carried out, or given up. */
export const dropPlan = dropDraft
