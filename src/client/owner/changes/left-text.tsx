import { queueTexts } from '#contract/texts/queue.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { copyText, selectText } from '#client/browser/clipboard.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { showNotice } from '#client/ui/notices.ts'
import { textsLeftOf } from './describe-operation.ts'

/** What a refused change says, where no form has its text any more: nowhere else could it be read. */
export function LeftText({ operation }: { readonly operation: Operation }) {
  const left = textsLeftOf(operation)
  if (left.length === 0) return null
  const listId = `left-${operation.id}`
  const copy = async () => {
    const isCopied = await copyText(plainOf(left))
    if (isCopied) void showNotice('success-snackbar', queueTexts.textCopied)
    // Where the clipboard is closed, the text is ready to be copied by hand.
    else selectText(`#${listId}`)
  }
  return (
    <details className="unfolds left-text">
      <summary>
        {queueTexts.readText}
        <Icon name="unfold" />
      </summary>
      <dl id={listId}>
        {left.map(({ name, label, text }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <Button tone="ghost" small onClick={() => void copy()}>
          {queueTexts.copyText}
        </Button>
      </div>
    </details>
  )
}

/** One text goes into its field as it is; of several each needs its name. */
function plainOf(left: ReturnType<typeof textsLeftOf>): string {
  if (left.length === 1) return left[0]?.text ?? ''
  return left.map(({ label, text }) => `${label}:\n${text}`).join('\n\n')
}
