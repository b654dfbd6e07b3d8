import type { Draft, Fields } from '#contract/fields.ts'
import { problems } from '#contract/problem.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'

export type Choice = 'mine' | 'theirs' | 'later'

interface ConflictDialogProps {
  readonly fields: Fields
  /** The texts changed here. */
  readonly mine: Draft
  readonly theirs: Draft
  readonly answer: (choice: Choice) => void
}

/** Asks which version stays when the row changed on another device since the form was opened. */
export function ConflictDialog({ fields, mine, theirs, answer }: ConflictDialogProps) {
  const [, , title] = problems['version-cambiada']
  const names = Object.keys(mine).filter((name) => mine[name] !== theirs[name])
  return (
    <Dialog title={title} onCancel={() => answer('later')}>
      {names.map((name) => (
        <section key={name} className="versions" aria-label={fields[name]?.label}>
          <h3>{fields[name]?.label}</h3>
          <dl>
            <dt>{ownerTexts.mine}</dt>
            <dd>{mine[name]}</dd>
            <dt>{ownerTexts.theirs}</dt>
            <dd>{theirs[name]}</dd>
          </dl>
        </section>
      ))}
      <div className="actions">
        <Button tone="quiet" onClick={() => answer('later')}>
          {ownerTexts.keepEditing}
        </Button>
        <Button tone="ghost" onClick={() => answer('theirs')}>
          {ownerTexts.takeTheirs}
        </Button>
        <Button onClick={() => answer('mine')}>{ownerTexts.keepMine}</Button>
      </div>
    </Dialog>
  )
}
