import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type MouseEvent } from 'react'
import type { Entry, Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { submitChange } from '#client/data/changes.ts'
import { readDraft } from '#client/data/drafts.ts'
import { whileBusy } from '#client/data/unsaved.ts'
import { Icon } from '#client/ui/icon.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { notify } from '#client/ui/notices.ts'
import { confirmRemoval } from './confirm-removal.ts'
import { editForm } from './form-keys.ts'
import { tellKept } from './outcomes.ts'

interface OwnerControlsProps {
  readonly section: Section
  readonly entry: Entry
}

/** The pencil and the bin of one entry; the pencil says so when a draft waits for it. */
export function OwnerControls({ section, entry }: OwnerControlsProps) {
  const queryClient = useQueryClient()
  const [stage, setStage] = useState<'asking' | 'leaving'>()
  const { notices, words, display, editPath } = section
  const name = entry.fields[display.title] ?? ''
  const hasDraft = readDraft(editForm(section, entry.id)) !== undefined

  const remove = async (event: MouseEvent<HTMLButtonElement>) => {
    const next = nextStop(event.currentTarget)
    setStage('asking')
    const isConfirmed = await confirmRemoval(entry.id, event)
    if (isConfirmed === undefined) return
    setStage(isConfirmed ? 'leaving' : undefined)
    if (!isConfirmed) {
      void notify('info-snackbar', ownerTexts.removalCancelled)
      return
    }
    const { id, version } = entry
    const outcome = await submitChange({ kind: 'remove', section, id, version }, { queryClient })
    if (outcome.state === 'done') {
      void notify('success-snackbar', notices.deleted)
      next()?.focus()
    } else if (outcome.state !== 'refused') {
      void tellKept(outcome, ownerTexts.removalFailed)
      next()?.focus()
    } else {
      setStage(undefined)
      void notify('error-snackbar', ownerTexts.removalFailed)
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

/** Where the focus goes when this entry is gone: the next one's pencil, else the last one's, else the head's button. */
function nextStop(button: HTMLElement): () => HTMLElement | null {
  const own = button.closest('.item')
  const items = [...document.querySelectorAll('.item')]
  const index = own === null ? -1 : items.indexOf(own)
  return () => {
    const left = [...document.querySelectorAll<HTMLElement>('.item .edit a')]
    return left[index] ?? left.at(-1) ?? document.querySelector<HTMLElement>('.page-head .btn')
  }
}
