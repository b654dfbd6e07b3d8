import { fill, locale } from '#contract/text.ts'
import { sharedTexts } from '#contract/texts/share.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon, Sprite } from '#client/ui/icon.tsx'
import { offlineSymbols } from '#client/ui/offline-symbols.ts'

interface SharedNoteProps {
  /** The fields that were filled. */
  readonly shared: readonly string[]
  readonly onDrop: () => void
}

/** Says over the form what another application shared into it, and takes it out again. */
export function SharedNote({ shared, onDrop }: SharedNoteProps) {
  const { parts, title, hint, discard } = sharedTexts
  const named = Object.entries(parts).filter(([name]) => shared.includes(name))
  const list = new Intl.ListFormat(locale).format(named.map(([, word]) => word))
  return (
    <div className="alert shared">
      <Sprite symbols={offlineSymbols} />
      <Icon name="share" />
      <div>
        <b>{title}</b>
        <p>{fill(hint, { what: list.charAt(0).toUpperCase() + list.slice(1) })}</p>
      </div>
      <Button tone="quiet" small onClick={onDrop}>
        {discard}
      </Button>
    </div>
  )
}

/** Says over the form that what another application shared could not be brought here. */
export function SharedMissing() {
  const { missing, missingHint } = sharedTexts
  return (
    <div className="alert shared" role="alert">
      <Icon name="warn" />
      <div>
        <b>{missing}</b>
        <p>{missingHint}</p>
      </div>
    </div>
  )
}
