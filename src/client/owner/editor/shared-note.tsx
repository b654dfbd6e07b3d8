import { share } from '#contract/offline/offline.ts'
import { fill, locale } from '#contract/text.ts'
import { sharedTexts } from '#contract/texts/share.ts'
import { Alert } from '#client/ui/alert.tsx'
import { Button } from '#client/ui/button.tsx'
import { Sprite } from '#client/ui/icon.tsx'
import { offlineSymbols } from '#client/ui/offline-symbols.ts'

interface SharedNoteProps {
  /** The names of the filled fields. */
  readonly shared: readonly string[]
  readonly onDrop: () => void
}

export function SharedNote({ shared, onDrop }: SharedNoteProps) {
  const { parts, title, hint, discard } = sharedTexts
  const named = Object.entries(parts).filter(([name]) => shared.includes(name))
  const list = new Intl.ListFormat(locale).format(named.map(([, word]) => word))
  return (
    <Alert
      isWide
      icon="share"
      title={title}
      words={fill(hint, { what: list.charAt(0).toUpperCase() + list.slice(1) })}
    >
      <Sprite symbols={offlineSymbols} />
      <Button tone="quiet" small onClick={onDrop}>
        {discard}
      </Button>
    </Alert>
  )
}

/** Why what was shared is not here: it was lost, or as many as may wait did so already. */
export type MissingShare = 'lost' | 'full'

export function SharedMissing({ why }: { readonly why: MissingShare }) {
  const { missing, missingHint, fullHint } = sharedTexts
  const words = why === 'full' ? fill(fullHint, { n: share.most }) : missingHint
  return <Alert isWide role="alert" title={missing} words={words} />
}
