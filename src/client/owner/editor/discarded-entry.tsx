import { Link } from '@tanstack/react-router'
import type { Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { focusHeading } from '#client/browser/focus-after-navigation.ts'
import { buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { isFocusLost } from '#client/ui/lost-focus.ts'

interface DiscardedEntryProps {
  readonly section: Section
  readonly name: string
  /** Whether its form had more than was queued. */
  readonly isTyped: boolean
}

/** What had the focus has gone with the form. */
const keepFocus = (box: HTMLElement | null) => {
  if (box && isFocusLost()) focusHeading()
}

/** In place of the form of a new entry whose making was discarded while it was open. */
export function DiscardedEntry({ section, name, isTyped }: DiscardedEntryProps) {
  return (
    <div ref={keepFocus} className="empty">
      <span className="bubble">
        <Icon name="trash" />
      </span>
      <h2>{fill(ownerTexts.discarded, { name })}</h2>
      {isTyped && <p>{ownerTexts.typedStays}</p>}
      <div className="actions">
        <Link className={buttonClass({})} to={section.addPath}>
          {section.words.add}
        </Link>
      </div>
    </div>
  )
}
