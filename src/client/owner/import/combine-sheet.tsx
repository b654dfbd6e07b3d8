import { useState } from 'react'
import type { Decision } from '#contract/resume/decisions.ts'
import type { Difference, Proposal } from '#contract/resume/proposals.ts'
import { fill } from '#contract/text.ts'
import { importTexts } from '#contract/texts/import.ts'
import { texts } from '#contract/texts/site.ts'
import { diffWords } from '#client/owner/editor/word-diff.ts'
import { Button } from '#client/ui/button.tsx'
import { Sheet } from '#client/ui/sheet.tsx'
import type { Found } from './read-file.ts'

type Sides = Decision['sides']

interface CombineSheetProps {
  readonly proposal: Proposal
  readonly title: string
  readonly source: Found['source']
  /** What was chosen so far. */
  readonly sides: Sides
  readonly onCombine: (sides: Sides) => void
  readonly onClose: () => void
}

/** Per field that differs, what she has and what the file has; nothing is decided before she says so. */
export function CombineSheet(props: CombineSheetProps) {
  const { proposal, title, source, onCombine, onClose } = props
  const { key, differences } = proposal
  const [sides, setSides] = useState(props.sides)
  const stays = restWords(proposal)
  const limits = new Map(proposal.excess.map((excess) => [excess.name, excess]))
  return (
    <Sheet
      className="modal"
      title={fill(importTexts.combineTitle, { name: title })}
      closeLabel={texts.close}
      onClose={onClose}
      foot={
        <>
          {stays === undefined ? null : <p>{stays}</p>}
          <Button tone="ghost" onClick={onClose}>
            {importTexts.cancel}
          </Button>
          <Button onClick={() => onCombine(sides)}>{importTexts.combineSo}</Button>
        </>
      }
    >
      <div className="cmp">
        {differences.map((difference) => {
          const { name, label } = difference
          const excess = limits.get(name)
          return (
            <fieldset key={name} className="line">
              <legend>
                {label}
                {excess ? <span className="over">{`${excess.length}/${excess.limit}`}</span> : null}
              </legend>
              {(['here', 'there'] as const).map((side) => (
                <label key={side}>
                  <input
                    type="radio"
                    name={`import-${key}-${name}`}
                    checked={sides[name] === side}
                    disabled={side === 'there' && excess !== undefined}
                    onChange={() => setSides({ ...sides, [name]: side })}
                  />
                  <small>{sideWords(side, source)}</small>
                  <Marked difference={difference} side={side} />
                </label>
              ))}
            </fieldset>
          )
        })}
      </div>
    </Sheet>
  )
}

/** What of her entry no file changes; of the profile there is nothing to say. */
function restWords({ section, differences }: Proposal): string | undefined {
  if (!section) return undefined
  const isLink = differences.some(({ name }) => section.fields[name]?.kind === 'url')
  return isLink ? importTexts.imageStays : importTexts.restStays
}

function sideWords(side: 'here' | 'there', source: Found['source']): string {
  if (side === 'here') return importTexts.inSite
  return source === 'linkedIn' ? importTexts.inLinkedIn : importTexts.inResume
}

interface MarkedProps {
  readonly difference: Difference
  readonly side: 'here' | 'there'
}

/** A text with the words that the other one has not. */
function Marked({ difference: { here, there }, side }: MarkedProps) {
  if (side === 'here' && here === '') return <span className="none">{importTexts.empty}</span>
  const [mine, theirs] = diffWords(here, there)
  const pieces = side === 'here' ? mine : theirs
  return (
    <span>
      {pieces.map(({ text, isChanged }, index) =>
        isChanged ? <mark key={index}>{text}</mark> : text,
      )}
    </span>
  )
}
