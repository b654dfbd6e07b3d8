import { Fragment } from 'react'
import type { Field } from '#contract/fields.ts'
import type { EarlierVersion } from '#contract/entries/history.ts'
import { placeholders } from '#contract/images/image.ts'
import { fill, lengthOf } from '#contract/text.ts'
import { historyTexts } from '#contract/texts/history.ts'
import { Picture } from '#client/site/picture.tsx'
import { differing, type HistoryThing } from './use-history.ts'
import { wordSteps, type Step } from './word-diff.ts'

interface FieldListProps {
  readonly thing: HistoryThing
  /** Absent: shows the present texts alone. */
  readonly version: EarlierVersion | undefined
}

/** Leaves out fields that are empty in both versions. */
export function FieldList({ thing, version }: FieldListProps) {
  const { fields, now } = thing
  const changed = version ? differing(thing, version) : {}
  return (
    <dl>
      {Object.entries(fields).map(([name, field]) => {
        const present = now.fields[name] ?? ''
        const earlier = changed[name]
        if (earlier === undefined && present === '') return null
        return (
          <div key={name}>
            <dt>{field.label}</dt>
            {earlier === undefined ? (
              <Unchanged field={field} value={present} isAlone={!version} />
            ) : (
              <Changed field={field} present={present} earlier={earlier} />
            )}
          </div>
        )
      })}
    </dl>
  )
}

/** An unchanged text is shortened to so many characters. */
const longest = 80

interface UnchangedProps {
  readonly field: Field
  readonly value: string
  /** Without another version beside it, a text is shown whole. */
  readonly isAlone: boolean
}

function Unchanged({ field, value, isAlone }: UnchangedProps) {
  if (field.kind === 'image') {
    return isAlone ? (
      <dd>
        <Thumb address={value} />
      </dd>
    ) : (
      <dd className="same">{historyTexts.samePicture}</dd>
    )
  }
  if (isAlone) return <dd>{value}</dd>
  return <dd className="same">{fill(historyTexts.unchanged, { value: begin(value) })}</dd>
}

function begin(text: string): string {
  const line = text.replaceAll('\n', ' ')
  return lengthOf(line) > longest
    ? `${Array.from(line).slice(0, longest).join('').trimEnd()}…`
    : line
}

interface ChangedProps {
  readonly field: Field
  readonly present: string
  readonly earlier: string
}

function Changed({ field, present, earlier }: ChangedProps) {
  if (field.kind === 'image') {
    return (
      <dd className="pictures">
        <del>
          <Unseen text={historyTexts.going} />
          <PictureOrNone address={present} />
        </del>
        <ins>
          <Unseen text={historyTexts.returning} />
          <PictureOrNone address={earlier} />
        </ins>
      </dd>
    )
  }
  return (
    <dd>
      {wordSteps(present, earlier).map((step, index, steps) => (
        <Fragment key={index}>
          {step.is === 'come' && steps[index - 1]?.is === 'gone' && ' '}
          <Words {...step} />
        </Fragment>
      ))}
    </dd>
  )
}

function Words({ text, is }: Step) {
  if (is === 'same') return text
  return is === 'gone' ? (
    <del>
      <Unseen text={historyTexts.going} />
      {text}
    </del>
  ) : (
    <ins>
      <Unseen text={historyTexts.returning} />
      {text}
    </ins>
  )
}

/** For screen readers only. */
function Unseen({ text }: { readonly text: string }) {
  return <span className="sr-only">{text}</span>
}

function PictureOrNone({ address }: { readonly address: string }) {
  return address === '' ? historyTexts.noPicture : <Thumb address={address} />
}

const thumbSide = 72

function Thumb({ address }: { readonly address: string }) {
  return (
    <Picture
      className="thumb"
      address={address}
      placeholder={placeholders.card}
      alt=""
      sizes={`${thumbSide}px`}
      load="soon"
      box={[thumbSide, thumbSide]}
    />
  )
}
