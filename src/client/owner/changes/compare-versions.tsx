import type { FieldValues } from '#contract/fields.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { fieldsOf, labelOf, wordsOf } from './describe-operation.ts'
import { diffWords, type DiffPiece } from '#client/owner/editor/word-diff.ts'

export interface ComparedField {
  readonly name: string
  readonly label: string
  readonly mine: string
  readonly theirs: string
}

/** Pictures are not compared. */
export function differencesOf(
  { subject, values }: Operation,
  theirs: FieldValues,
): readonly ComparedField[] {
  const fields = fieldsOf(subject)
  return Object.entries(values)
    .filter(([name, mine]) => fields[name]?.kind !== 'image' && mine !== (theirs[name] ?? ''))
    .map(([name, mine]) => ({
      name,
      label: labelOf(subject, name),
      mine: wordsOf(subject, { name, value: mine }),
      theirs: wordsOf(subject, { name, value: theirs[name] ?? '' }),
    }))
}

interface CompareVersionsProps {
  readonly differences: readonly ComparedField[]
}

/** Marks the words in which the versions differ. */
export function CompareVersions({ differences }: CompareVersionsProps) {
  return differences.map(({ name, label, mine, theirs }) => {
    const [mineInPieces, theirsInPieces] = diffWords(mine, theirs)
    return (
      <div key={name} className="diff" role="group" aria-label={label}>
        <Version title={`${ownerTexts.mine} · ${label}`} pieces={mineInPieces} />
        <Version title={`${ownerTexts.theirs} · ${label}`} pieces={theirsInPieces} />
      </div>
    )
  })
}

function Version({
  title,
  pieces,
}: {
  readonly title: string
  readonly pieces: readonly DiffPiece[]
}) {
  return (
    <div>
      <small>{title}</small>
      {pieces.map(({ text, isChanged }, index) =>
        isChanged ? <mark key={index}>{text}</mark> : text,
      )}
    </div>
  )
}
