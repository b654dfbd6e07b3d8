import type { FieldKind, FieldValues } from '#contract/fields.ts'
import { problems } from '#contract/problem.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { changedHere, type Refusal } from '#client/outbox/operation.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { useNow } from '#client/ui/use-now.ts'
import { valueWords } from '#client/owner/changes/describe-operation.ts'
import { otherMoment } from '#client/owner/changes/change-moments.ts'

export type ConflictAnswer = 'mine' | 'theirs' | 'later'

interface ConflictDialogProps {
  readonly fields: Readonly<Record<string, { readonly label: string; readonly kind?: FieldKind }>>
  /** The texts changed in this form. */
  readonly mine: FieldValues
  readonly theirs: FieldValues
  /** The server's refusal, or this device's own where another form on it holds the other version. */
  readonly refusal: Refusal
  readonly answer: (choice: ConflictAnswer) => void
}

/** For a row that changed since the form was opened, on another device or in another tab. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { fields, mine, theirs, refusal, answer } = props
  const moment = otherMoment(refusal, useNow())
  const isHere = refusal.code === changedHere
  const [, , elsewhere] = problems['version-cambiada']
  const title = isHere ? queueTexts.changedHere : elsewhere
  const names = Object.keys(mine).filter((name) => mine[name] !== (theirs[name] ?? ''))
  return (
    <Dialog title={title} onCancel={() => answer('later')}>
      {moment !== undefined && <p className="hint">{moment}</p>}
      {names.map((name) => (
        <section key={name} className="versions" aria-label={fields[name]?.label}>
          <h3>{fields[name]?.label}</h3>
          <dl>
            <dt>{ownerTexts.mine}</dt>
            <dd>{valueWords(fields[name], mine[name])}</dd>
            <dt>{isHere ? ownerTexts.otherChange : ownerTexts.theirs}</dt>
            <dd>{valueWords(fields[name], theirs[name])}</dd>
          </dl>
        </section>
      ))}
      <div className="actions">
        <Button tone="quiet" onClick={() => answer('later')}>
          {ownerTexts.keepEditing}
        </Button>
        <Button tone="ghost" onClick={() => answer('theirs')}>
          {isHere ? ownerTexts.takeOther : ownerTexts.takeTheirs}
        </Button>
        <Button onClick={() => answer('mine')}>{ownerTexts.keepMine}</Button>
      </div>
    </Dialog>
  )
}
