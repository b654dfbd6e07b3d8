import { memo, useState } from 'react'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { hiddenSections, inOrder } from '#contract/settings/settings.ts'
import { fill } from '#contract/text.ts'
import { importTexts } from '#contract/texts/import.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { effectOf, type Decision, type Effect } from '#contract/resume/decisions.ts'
import { choicesOf, type Proposal, type Shown } from '#contract/resume/proposals.ts'
import { CombineSheet } from './combine-sheet.tsx'
import type { Decisions } from './import-plan.ts'
import type { Found } from './read-file.ts'

interface ProposalListProps {
  readonly proposals: readonly Proposal[]
  readonly found: Found
  readonly shown: Shown
  /** The same object as long as nothing else is decided. */
  readonly decisionOf: (proposal: Proposal) => Decision
  /** What has no place on the site. */
  readonly aside: readonly string[]
  readonly isBusy: boolean
  readonly onDecide: (changed: Decisions) => void
  readonly onApply: () => void
  readonly onCancel: () => void
}

/** What a file has for the site, section by section, and the bar that says what it comes to. */
export function ProposalList(props: ProposalListProps) {
  const { proposals, found, aside, shown, decisionOf, onDecide } = props
  const [compared, compare] = useState<Proposal>()
  const groups: readonly (Section | undefined)[] = [undefined, ...inOrder(sections, shown.settings)]
  return (
    <>
      <div className="props">
        {groups.map((section) => {
          const own = proposals.filter((one) => one.section?.key === section?.key)
          return own.length > 0 ? (
            <Group
              key={section?.key ?? ''}
              {...props}
              section={section}
              proposals={own}
              onCompare={compare}
            />
          ) : null
        })}
        {aside.length > 0 ? (
          <p className="hint2">{fill(importTexts.keptAside, { names: aside.join(', ') })}</p>
        ) : null}
        {found.isPictureLeft ? <p className="hint2">{importTexts.pictureLeft}</p> : null}
      </div>
      <ApplyBar {...props} />
      {compared ? (
        <CombineSheet
          proposal={compared}
          title={wordsOf(compared).title}
          source={found.source}
          sides={decisionOf(compared).sides}
          onCombine={(sides) => {
            onDecide(new Map([[compared, { choice: 'combine', sides }]]))
            compare(undefined)
          }}
          onClose={() => compare(undefined)}
        />
      ) : null}
    </>
  )
}

interface GroupProps extends ProposalListProps {
  readonly section: Section | undefined
  readonly onCompare: (proposal: Proposal) => void
}

function Group(props: GroupProps) {
  const { section, proposals, shown, decisionOf, onDecide, onCompare } = props
  const title = section?.title ?? importTexts.profile
  const n = proposals.length
  const there = proposals.filter(({ known, isWaiting }) => known || isWaiting).length
  const isOff = section !== undefined && hiddenSections(shown.settings).includes(section.key)
  const counts = [
    fill(n === 1 ? importTexts.foundOne : importTexts.found, { n }),
    ...(there > 0
      ? [fill(there === 1 ? importTexts.alreadyOne : importTexts.already, { n: there })]
      : []),
    ...(isOff ? [importTexts.sectionOff] : []),
  ]
  const leaveAll = () => {
    const left = proposals.map((one) => [one, { ...decisionOf(one), choice: 'leave' }] as const)
    onDecide(new Map(left))
  }
  return (
    <section>
      <header>
        <h2>{title}</h2>
        <p>{section ? counts.join(' · ') : null}</p>
        <Button
          tone="quiet"
          small
          onClick={leaveAll}
          aria-label={fill(importTexts.leaveAllOf, { section: title })}
        >
          {importTexts.leaveAll}
        </Button>
      </header>
      <ul className="card">
        {proposals.map((proposal) => (
          <Row
            key={proposal.key}
            proposal={proposal}
            decision={decisionOf(proposal)}
            section={section}
            onDecide={onDecide}
            onCompare={onCompare}
          />
        ))}
      </ul>
    </section>
  )
}

interface RowProps extends Pick<GroupProps, 'section' | 'onDecide' | 'onCompare'> {
  readonly proposal: Proposal
  readonly decision: Decision
}

/** Drawn again only when it is itself decided about: a file may have thousands. */
const Row = memo(function Row(props: RowProps) {
  const { proposal, decision, section, onDecide, onCompare } = props
  const { key, differences, known, excess, isDraft, isWaiting } = proposal
  const effect = effectOf(proposal, decision)
  const { title, body, small } = wordsOf(proposal)
  const isEqual = differences.length === 0 && (known !== undefined || !section)
  return (
    <li className={effect === 'leave' ? 'left' : undefined}>
      <div>
        <b>{title}</b>
        {body ? <p>{body}</p> : null}
        {small ? <small>{small}</small> : null}
        <div className="marks">
          {isEqual ? <Mark text={section ? importTexts.isThere : importTexts.isEqual} /> : null}
          {known && !isEqual ? <Mark text={importTexts.isThere} /> : null}
          {isWaiting ? <Mark text={importTexts.isWaiting} /> : null}
          {differences.length > 0 && (known || !section) ? (
            <button
              type="button"
              className="chip muted-tone"
              aria-haspopup="dialog"
              onClick={() => onCompare(proposal)}
            >
              {fill(differences.length === 1 ? importTexts.difference : importTexts.differences, {
                n: differences.length,
              })}
            </button>
          ) : null}
          {excess.length > 0 ? (
            <span className="over">
              {excess.map(({ length, limit }) => `${length}/${limit}`).join(' · ')}
            </span>
          ) : null}
          {isDraft && !known && !isWaiting ? (
            <span className="chip bad-tone">
              {excess.length > 0 ? importTexts.tooLong : importTexts.incomplete}
            </span>
          ) : null}
        </div>
      </div>
      <fieldset className="seg">
        <legend className="sr-only">{fill(importTexts.whatToDo, { name: title })}</legend>
        {choicesOf(proposal).map((choice) => (
          <label key={choice}>
            <input
              type="radio"
              name={`import-${key}`}
              className={choice === 'leave' ? 'no' : undefined}
              checked={decision.choice === choice}
              onChange={() => onDecide(new Map([[proposal, { ...decision, choice }]]))}
            />
            <span>{importTexts[choice]}</span>
          </label>
        ))}
      </fieldset>
    </li>
  )
})

function Mark({ text }: { readonly text: string }) {
  return (
    <span className="chip pencil-tone">
      <Icon name="check" />
      {text}
    </span>
  )
}

/** The name of a proposal, what it says, and what stands beside it. */
function wordsOf({ section, values, differences }: Proposal) {
  if (!section) {
    const there = differences.length > 0 ? differences.map((one) => one.there) : [values['title']]
    return { title: importTexts.profile, body: there.filter(Boolean).join(' · '), small: '' }
  }
  const { display } = section
  const title = values[display.title] || importTexts.noName
  if (display.kind === 'icon') return { title, body: '', small: values['group'] ?? '' }
  const rare = Object.keys(section.fields).filter((name) => section.fields[name]?.isMore)
  const beside = [...rare, display.fact.field].map((name) => values[name]).filter(Boolean)
  return { title, body: values[display.body ?? ''] ?? '', small: beside.join(' · ') }
}

function ApplyBar({ proposals, decisionOf, aside, isBusy, onApply, onCancel }: ProposalListProps) {
  const count = (effect: Effect) =>
    proposals.filter((one) => effectOf(one, decisionOf(one)) === effect).length
  const [added, combined, drafts, left] = [
    count('add'),
    count('combine'),
    count('draft'),
    count('leave'),
  ]
  const n = added + combined + drafts
  const said = [
    countWords(added, importTexts.countNewOne, importTexts.countNew),
    countWords(combined, importTexts.countCombinedOne, importTexts.countCombined),
    countWords(drafts, importTexts.countDrafts, importTexts.countDrafts),
  ].filter(Boolean)
  const rest = countWords(left, importTexts.countLeftOne, importTexts.countLeft)
  return (
    <section className="applybar" aria-label={importTexts.summary}>
      <p role="status">
        <b>
          {n === 0
            ? importTexts.noChanges
            : countWords(n, importTexts.oneChange, importTexts.changes)}
        </b>
        {[said.join(', '), rest].filter(Boolean).join(' · ')}
      </p>
      <Button tone="ghost" onClick={onCancel}>
        {importTexts.cancel}
      </Button>
      <Button busy={isBusy} disabled={n === 0 && aside.length === 0} onClick={onApply}>
        {n === 0 && aside.length > 0 ? importTexts.applyKept : importTexts.apply}
      </Button>
    </section>
  )
}

function countWords(n: number, one: string, many: string): string {
  return n === 0 ? '' : fill(n === 1 ? one : many, { n })
}
