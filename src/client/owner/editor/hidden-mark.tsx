import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hiddenField } from '#contract/entries/hidden.ts'
import type { Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { hiddenTexts } from '#contract/texts/hidden.ts'
import type { ShownEntry } from '#client/data/overlay.ts'
import { whileBusy } from '#client/data/unsaved.ts'
import { tellResult } from '#client/owner/changes/change-notices.ts'
import { baseOf, submitChange, updateEntryOperation } from '#client/owner/changes/submit-change.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { inGenderOf } from './hidden-words.ts'

interface HiddenEntryProps {
  readonly section: Section
  readonly entry: ShownEntry
}

export function HiddenBadge({ section }: Pick<HiddenEntryProps, 'section'>) {
  const word = inGenderOf(section, hiddenTexts.badge)
  const isSmall = section.display.kind === 'icon'
  return (
    <span className="badge chip muted-tone" title={isSmall ? word : undefined}>
      <Icon name="eye-off" />
      {isSmall ? <span className="sr-only">{word}</span> : word}
    </span>
  )
}

export function PublishBar({ section, entry }: HiddenEntryProps) {
  const queryClient = useQueryClient()
  const [isLeaving, setLeaving] = useState(false)
  const { id, fields } = entry
  const name = fields[section.display.title] ?? ''
  const publish = async () => {
    setLeaving(true)
    const values = { [hiddenField]: '' }
    const change = updateEntryOperation(section, { id, fields }, { base: baseOf(entry), values })
    // There is no form to return to: where the entry changed meanwhile the owner chooses in the queue.
    const result = await submitChange(change, { queryClient, isFormless: true })
    setLeaving(false)
    tellResult(result, {
      saved: fill(hiddenTexts.published, { name }),
      failed: fill(hiddenTexts.publishFailed, { name }),
    })
    focusPencilOf(section, id)
  }
  return (
    <div className="draft-bar">
      <p>{inGenderOf(section, hiddenTexts.onlyYou)}</p>
      <Button
        tone="pencil"
        small
        aria-label={fill(hiddenTexts.publishName, { name })}
        aria-disabled={isLeaving}
        onClick={() => {
          if (!isLeaving) void whileBusy(publish)
        }}
      >
        {hiddenTexts.publish}
      </Button>
    </div>
  )
}

/** The pressed button goes with the mark, so the focus moves to the entry's pencil. */
export function focusPencilOf({ editPath }: Section, id: string): void {
  if (document.activeElement !== document.body) return
  document
    .querySelector<HTMLElement>(`.item .edit a[href="${editPath.replace('$id', id)}"]`)
    ?.focus()
}
