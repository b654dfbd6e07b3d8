import { ownerTexts } from '#contract/texts/owner.ts'
import { Icon } from '#client/ui/icon.tsx'
import type { SaveState } from './use-setting.tsx'

/** Shows «Guardado» for a moment. */
export function SavedMark({ state }: { readonly state: SaveState }) {
  return (
    <span className="saved" role="status">
      {state.saved ? <Icon name="check" /> : null}
      {state.saved ? ownerTexts.saved : ''}
    </span>
  )
}

/** The old value stays in force. */
export function SettingError({ id, state }: { readonly id: string; readonly state: SaveState }) {
  return (
    <p className="field-error" id={id} role="status">
      {state.error === undefined ? null : <Icon name="warn" />}
      {state.error}
    </p>
  )
}
