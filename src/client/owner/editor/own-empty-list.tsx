import type { Section } from '#contract/sections/section.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'

interface OwnEmptyListProps {
  readonly section: Section
  /** Opens the form of a new entry. */
  readonly onAdd: () => void
}

/** What the owner finds where a section has no entry yet. */
export function OwnEmptyList({ section: { words }, onAdd }: OwnEmptyListProps) {
  return (
    <div className="empty">
      <span className="bubble">
        <Icon name="plus" />
      </span>
      <h2>{words.emptyOwner}</h2>
      <p>{words.emptyOwnerHint}</p>
      <Button tone="pencil" icon="plus" onClick={onAdd}>
        {words.add}
      </Button>
    </div>
  )
}
