import { useEffect, useRef } from 'react'
import type { SettingOrigin } from '#contract/settings/kinds.ts'
import { fill } from '#contract/text.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { Origin } from './setting-row.tsx'
import { SavedMark, SettingError } from './setting-state.tsx'
import type { SaveState } from './use-setting.tsx'

export interface AddressRowProps {
  readonly id: string
  readonly icon: string
  readonly name: string
  readonly effect: string
  /** As it is typed. */
  readonly link: string
  /** As it is read on paper; what is no address as it is typed. */
  readonly address: string
  readonly state: SaveState
  readonly isOpen: boolean
  /** Absent where the row is one of several of a setting, which says so once. */
  readonly origin: SettingOrigin | undefined
  /** Undefined for an address that cannot be changed here. */
  readonly onOpen: (() => void) | undefined
  readonly calls: AddressCalls
}

interface AddressCalls {
  /** Called when the field takes the focus. */
  readonly begin: () => void
  /** Called at every letter. */
  readonly type: (link: string) => void
  /** Saves and closes; the focus goes to where it came from, unless it has gone elsewhere. */
  readonly leave: (isFocusElsewhere: boolean) => void
  /** Closes without saving. */
  readonly putBack: () => void
}

/** An address of hers, whose pencil turns the row into its field. */
export function AddressRow(props: AddressRowProps) {
  const { id, icon, name, effect, address, state, isOpen, origin, onOpen } = props
  return (
    <li className={isOpen ? 'plain open' : 'plain'}>
      <Icon name={icon} />
      <div>
        <b id={`${id}-label`}>{name}</b>
        <SavedMark state={state} />
        <small id={`${id}-effect`}>{isOpen ? effect : address || settingsTexts.noLink}</small>
        {origin ? <Origin origin={origin} /> : null}
      </div>
      {isOpen ? <AddressField {...props} /> : null}
      {onOpen && !isOpen ? (
        <span className="row-actions">
          <IconButton
            id={pencilOf(id)}
            icon="pencil"
            label={fill(settingsTexts.editLink, { name })}
            aria-describedby={`${id}-effect`}
            onClick={onOpen}
          />
        </span>
      ) : null}
      <SettingError id={`${id}-state`} state={state} />
    </li>
  )
}

/** The id of the button that opens the row. */
export function pencilOf(id: string): string {
  return `${id}-edit`
}

/** Enter and leaving it save the address, Escape does not. */
function AddressField({ id, link, state, calls }: AddressRowProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  return (
    <div className="field">
      <input
        ref={input}
        id={id}
        type="text"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-effect ${id}-state`}
        aria-invalid={state.error !== undefined || undefined}
        value={link}
        onChange={({ target }) => calls.type(target.value)}
        onFocus={calls.begin}
        onBlur={({ currentTarget }) => {
          // Whoever looks up the address in another window comes back to the field, which keeps the focus of the page.
          if (document.activeElement !== currentTarget) calls.leave(true)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') calls.putBack()
          if (event.key !== 'Enter') return
          // It would press the button that takes the focus.
          event.preventDefault()
          calls.leave(false)
        }}
      />
    </div>
  )
}
