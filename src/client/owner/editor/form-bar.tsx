import type { ComponentProps } from 'react'
import { ownerTexts } from '#contract/texts/owner.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'

export interface FormStatus {
  readonly icon?: string
  readonly tone?: 'ok-tone' | 'pencil-tone' | 'bad-tone'
  readonly text: string
  /** A passing state, which is not announced at every letter. */
  readonly isPassing?: boolean
}

interface FormBarProps {
  readonly status: FormStatus
  /** Empties the form of its recovered text. */
  readonly onDiscard?: (() => void) | undefined
  readonly onCancel: ComponentProps<'button'>['onClick']
  readonly submitLabel: string
  readonly isSending?: boolean
}

/** Always has the same height, so that nothing moves with its words. */
export function FormBar(props: FormBarProps) {
  const { status, onDiscard, onCancel, submitLabel, isSending = false } = props
  const { icon, tone, text, isPassing = false } = status
  return (
    <div className="formbar">
      <div className="status">
        <p
          className={tone ? `state ${tone}` : 'state'}
          role="status"
          aria-busy={isPassing}
          title={text}
        >
          {icon && <Icon name={icon} />}
          <span>{text}</span>
        </p>
        {onDiscard && (
          <button
            type="button"
            className="link"
            aria-label={ownerTexts.discardDraft}
            onClick={onDiscard}
          >
            {ownerTexts.discard}
          </button>
        )}
      </div>
      <Button tone="ghost" onClick={onCancel}>
        {ownerTexts.cancel}
      </Button>
      <Button type="submit" busy={isSending} aria-disabled={isSending || undefined}>
        {submitLabel}
      </Button>
    </div>
  )
}
