import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type MouseEvent } from 'react'
import type { Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { useHasDraft } from '#client/owner/drafts/entry-drafts.ts'
import type { ShownEntry } from '#client/data/overlay.ts'
import { whileBusy } from '#client/data/unsaved.ts'
import { Icon } from '#client/ui/icon.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { showNotice } from '#client/ui/notices.ts'
import { confirmRemoval } from './confirm-removal.ts'
import { editForm } from './form-keys.ts'
import { isUndone, removeFromList, tellRemoved } from './removed-entries.ts'
import { tellKept } from '#client/owner/changes/change-notices.ts'

interface OwnerControlsProps {
  readonly section: Section
  readonly entry: ShownEntry
  /** The list that holds it, in the server's order. */
  readonly list: readonly ShownEntry[]
}

/** The pencil says when a draft waits for it. */
export function OwnerControls({ section, entry, list }: OwnerControlsProps) {
  const queryClient = useQueryClient()
  const [stage, setStage] = useState<'asking' | 'leaving'>()
  const { words, display, editPath } = section
  const name = entry.fields[display.title] ?? ''
  const hasDraft = useHasDraft(editForm(section, entry.id))

  const remove = async (event: MouseEvent<HTMLButtonElement>) => {
    const next = nextStop(event.currentTarget)
    setStage('asking')
    const isConfirmed = await confirmRemoval(entry.id, event)
    if (isConfirmed === undefined) return
    setStage(isConfirmed ? 'leaving' : undefined)
    if (!isConfirmed) {
      void showNotice('info-snackbar', ownerTexts.removalCancelled)
      return
    }
    const { item, result } = await removeFromList({ section, entry, list }, queryClient)
    if (isUndone(item)) return
    if (result.state === 'saved') {
      tellRemoved(item, queryClient)
      next()?.focus()
      return
    }
    // It is there again, or for as long as she has a choice to make.
    setStage(undefined)
    if (result.state === 'queued') {
      void tellKept(result, ownerTexts.removalFailed)
      next()?.focus()
    } else {
      void showNotice('error-snackbar', ownerTexts.removalFailed)
    }
  }

  const editLabel = fill(ownerTexts.editEntry, { noun: words.noun, name })
  return (
    <div
      className={stage ? `edit is-${stage}` : 'edit'}
      role="group"
      aria-label={fill(ownerTexts.actionsOf, { name })}
    >
      <Link
        className="icon-btn"
        to={editPath}
        params={{ id: entry.id }}
        aria-label={hasDraft ? `${editLabel} (${ownerTexts.recoverDraft})` : editLabel}
        title={hasDraft ? ownerTexts.recoverDraft : ownerTexts.edit}
      >
        <Icon name="pencil" />
        {hasDraft ? <span className="count-badge draft-dot" /> : null}
      </Link>
      <IconButton
        className="del"
        icon="trash"
        label={fill(ownerTexts.removeEntry, { noun: words.noun, name })}
        title={ownerTexts.remove}
        onClick={(event) => void whileBusy(() => remove(event))}
      />
    </div>
  )
}

/** Where the focus goes when this entry is gone: the next pencil, else the last one, else the head's button. */
function nextStop(button: HTMLElement): () => HTMLElement | null {
  const own = button.closest('.item')
  const items = [...document.querySelectorAll('.item')]
  const index = own === null ? -1 : items.indexOf(own)
  return () => {
    const left = [...document.querySelectorAll<HTMLElement>('.item .edit a')]
    return left[index] ?? left.at(-1) ?? document.querySelector<HTMLElement>('.page-head .btn')
  }
}
