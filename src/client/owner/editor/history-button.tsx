import { Suspense, useState } from 'react'
import { historyTexts } from '#contract/texts/history.ts'
import { part } from '#client/data/part.ts'
import { isUnsaved } from '#client/data/unsaved.ts'
import type { Row } from '#client/outbox/operation.ts'
import { Button } from '#client/ui/button.tsx'
import type { HistoryThing } from './use-history.ts'

const HistorySheet = part(() => import('./history-sheet.tsx').then((file) => file.HistorySheet))

interface HistoryButtonProps {
  readonly thing: HistoryThing
  /** The form's name on this page; its unsaved text stays. */
  readonly form: string
  readonly onReturn: (row: Row) => void
}

export function HistoryButton({ thing, form, onReturn }: HistoryButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="actions-slot">
      <Button
        tone="ghost"
        icon="clock"
        aria-label={historyTexts.open}
        aria-haspopup="dialog"
        title={historyTexts.open}
        onClick={() => setOpen(true)}
      >
        <span>{historyTexts.open}</span>
      </Button>
      {/* Of its own: a page that made way while the sheet loads would take the focus from the button. */}
      <Suspense fallback={null}>
        {isOpen && (
          <HistorySheet
            thing={thing}
            onClose={() => setOpen(false)}
            onReturn={(row) => {
              if (!isUnsaved(form)) onReturn(row)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}
