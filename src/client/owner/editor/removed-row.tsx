import { useQueryClient } from '@tanstack/react-query'
import { fill } from '#contract/text.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { whileBusy } from '#client/data/unsaved.ts'
import { Button } from '#client/ui/button.tsx'
import { focusPencilOf } from './hidden-mark.tsx'
import { undoRemoval, wasNeverSent, type RemovedEntry } from './removed-entries.ts'

/** Stands in the place of a deleted entry and offers to undo it, as long as the page stands. */
export function RemovedRow({ item }: { readonly item: RemovedEntry }) {
  const queryClient = useQueryClient()
  const { section, entry } = item
  const name = entry.fields[section.display.title] ?? ''
  const undo = async () => {
    await undoRemoval(item, queryClient)
    focusPencilOf(section, entry.id)
  }
  return (
    <li className="gone">
      <p>{fill(wasNeverSent(item) ? binTexts.taken : binTexts.inBin, { name })}</p>
      <Button
        tone="ghost"
        small
        icon="undo"
        aria-label={fill(binTexts.undoName, { name })}
        onClick={() => void whileBusy(undo)}
      >
        {binTexts.undo}
      </Button>
    </li>
  )
}
