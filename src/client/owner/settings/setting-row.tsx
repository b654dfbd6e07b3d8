import { useRef, useState, type KeyboardEvent } from 'react'
import { ownDefaults } from '#contract/settings/defaults.ts'
import { settingKinds, type SettingOrigin } from '#contract/settings/kinds.ts'
import type { OwnKey } from '#contract/settings/settings.ts'
import { ageWords, originWords, settingWords } from '#contract/texts/setting-words.ts'
import { fill } from '#contract/text.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { wordsOf } from '#client/owner/changes/describe-operation.ts'
import { Button } from '#client/ui/button.tsx'
import { SavedMark, SettingError } from './setting-state.tsx'
import { useSetting, type ShownSetting } from './use-setting.tsx'
import { useTypedSetting, type Writing } from './use-typed-setting.ts'
import { dateInWords, dayTyped } from './written-date.ts'
import { Switch } from '#client/ui/switch.tsx'

interface SettingRowProps {
  readonly settingKey: OwnKey
  readonly value: string
  /** The stored value is not known yet. */
  readonly isUnread?: boolean | undefined
  /** Called at every letter, and with the value that is kept. */
  readonly onTyping?: ((value: string) => void) | undefined
  /** Shown below the setting. */
  readonly note?: string | undefined
}

/** Saved when its field is left or its switch turned; the row itself says whether it was. */
export function SettingRow({ settingKey, value, isUnread, onTyping, note }: SettingRowProps) {
  const { value: shown, state, origin, save, question } = useSetting(settingKey, value)
  const { label, effect, group } = settingWords[settingKey]
  const id = `setting-${settingKey}`
  const isAdvanced = group === 'advanced'
  const [picks, setPicks] = useState(0)
  const pick = (next: string) => {
    save(next, shown)
    setPicks(picks + 1)
  }
  return (
    <div className="setting">
      <div>
        <b id={`${id}-label`}>{label}</b>
        <SavedMark state={state} />
        <p id={`${id}-effect`}>
          {effect}
          {isAdvanced ? <span className="mono"> {settingKey}</span> : null}
        </p>
        {note === undefined ? null : <p className="origin">{note}</p>}
        <Origin origin={origin} isAdvanced={isAdvanced} />
      </div>
      {origin === 'firebase' ? (
        <output aria-labelledby={`${id}-label`}>
          {wordsOf({ on: 'settings' }, { name: settingKey, value })}
        </output>
      ) : (
        <SettingControl
          id={id}
          settingKey={settingKey}
          value={shown}
          isUnread={isUnread}
          isWrong={state.error !== undefined}
          onSave={save}
          picks={picks}
          onPick={pick}
          onTyping={onTyping}
        />
      )}
      <SettingError id={`${id}-state`} state={state} />
      {isAdvanced && origin === 'own' ? (
        <Button
          tone="quiet"
          small
          icon="undo"
          className="reset"
          aria-describedby={`${id}-label`}
          onClick={({ detail }) => {
            pick(ownDefaults[settingKey])
            // The button goes; whoever pressed it by the keyboard goes on from the value that is back.
            if (detail === 0) setTimeout(() => document.getElementById(id)?.focus())
          }}
        >
          {resetWords(settingKey)}
        </Button>
      ) : null}
      {question}
    </div>
  )
}

function resetWords(settingKey: OwnKey): string {
  const value = ownDefaults[settingKey]
  if (settingKinds[settingKey].is === 'flag') {
    return value === 'true' ? settingsTexts.resetToOn : settingsTexts.resetToOff
  }
  if (value === '') return settingsTexts.resetToNothing
  return fill(settingsTexts.resetTo, { value })
}

/** Shown for technical settings and for those that Firebase governs. */
export function Origin({
  origin,
  isAdvanced,
}: {
  readonly origin: SettingOrigin
  readonly isAdvanced?: boolean
}) {
  if (origin !== 'firebase' && !(isAdvanced && origin === 'own')) return null
  return (
    <p className="origin">
      {fill(originWords.label, { origin: originWords[origin] })}
      {origin === 'firebase' ? ` · ${originWords.elsewhere}` : null}
    </p>
  )
}

interface SettingControlProps extends SettingRowProps {
  readonly id: string
  readonly isWrong: boolean
  /** Saves the choice in place of the value shown before; returns the value that is kept. */
  readonly onSave: ShownSetting['save']
  /** How often a value was picked instead of typed. */
  readonly picks: number
  /** Saves the value in place of whatever stands in the field. */
  readonly onPick: (value: string) => void
}

function SettingControl(props: SettingControlProps) {
  const kind = settingKinds[props.settingKey].is
  if (kind === 'flag') return <SettingSwitch {...props} />
  return kind === 'date' || kind === 'birth' ? (
    <DateSetting {...props} />
  ) : (
    <TextSetting {...props} />
  )
}

interface TextSettingProps extends SettingControlProps {
  readonly writing?: Writing
  readonly placeholder?: string
}

function TextSetting({ id, isWrong, placeholder, ...setting }: TextSettingProps) {
  const { typed, begin, type, save } = useTypedSetting(setting)
  const kind = settingKinds[setting.settingKey].is
  const control = {
    id,
    autoComplete: 'off',
    'aria-labelledby': `${id}-label`,
    'aria-describedby': `${id}-effect ${id}-state`,
    'aria-invalid': isWrong || undefined,
    value: typed,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      type(target.value.replaceAll(/\s*\n\s*/gu, ' ')),
    onFocus: begin,
    onBlur: save,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      save()
    },
  } as const
  return (
    <div className="field">
      {kind === 'text' ? (
        // Some are sentences, which a field of one line would cut off.
        <textarea {...control} placeholder={placeholder} rows={1} />
      ) : (
        <input
          {...control}
          type={kind === 'email' ? kind : 'text'}
          inputMode={kind === 'url' ? 'url' : kind === 'number' ? 'numeric' : undefined}
          placeholder={placeholder ?? (kind === 'url' ? 'https://' : undefined)}
        />
      )}
    </div>
  )
}

const inWords: Writing = { write: dateInWords, read: (typed) => dayTyped(typed, new Date()) }

/** The day is typed or picked in words, because the browser's own field would write it in the browser's language. */
function DateSetting(props: SettingControlProps) {
  const { id, settingKey, value, onPick, onTyping } = props
  const hint = settingKinds[settingKey].is === 'birth' ? ageWords.hint : settingsTexts.dateHint
  const calendar = useRef<HTMLInputElement>(null)
  return (
    <div className="date-setting">
      <TextSetting {...props} writing={inWords} placeholder={hint} />
      <input
        ref={calendar}
        className="calendar"
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        value={value}
        onChange={({ target }) => {
          onTyping?.(target.value)
          onPick(target.value)
        }}
      />
      <Button
        tone="quiet"
        small
        icon="calendar"
        aria-label={settingsTexts.pickDate}
        aria-describedby={`${id}-label`}
        onClick={() => calendar.current?.showPicker()}
      />
    </div>
  )
}

function SettingSwitch({ id, value, onSave }: SettingControlProps) {
  return (
    <Switch
      id={id}
      isOn={value === 'true'}
      onTurn={(isOn) => onSave(String(isOn), value)}
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-effect ${id}-state`}
    />
  )
}
