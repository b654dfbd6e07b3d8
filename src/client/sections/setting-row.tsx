import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sections } from '#contract/sections/index.ts'
import {
  originOf,
  parseSetting,
  settingError,
  settingKinds,
  type SettingOrigin,
} from '#contract/setting-kinds.ts'
import { defaultSettings } from '#contract/setting-defaults.ts'
import type { SettingKey } from '#contract/settings.ts'
import { originWords, settingWords } from '#contract/settings-words.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { submitChange } from '#client/data/changes.ts'
import { useRemoteSettings } from '#client/data/remote-settings.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { tellKept } from './outcomes.ts'

interface SettingRowProps {
  readonly settingKey: SettingKey
  readonly value: string
}

type SaveState = { readonly saved: boolean; readonly error?: string }

/** One setting, saved when its field is left or its switch turned; the row itself says whether it was. */
export function SettingRow({ settingKey, value }: SettingRowProps) {
  const queryClient = useQueryClient()
  const [state, setState] = useState<SaveState>({ saved: false })
  // What was just chosen is shown before the server has it.
  const [chosen, setChosen] = useState<string>()
  const { label, effect, group } = settingWords[settingKey]
  const origin = originOf(settingKey, chosen ?? value, useRemoteSettings())

  const save = async (next: string) => {
    if (next === value && state.error === undefined) return
    const parsed = parseSetting(settingKey, next)
    if (parsed === undefined) {
      return setState({ saved: false, error: settingError(settingKey, next) })
    }
    setChosen(parsed)
    const outcome = await submitChange(
      { kind: 'settings', patch: { [settingKey]: parsed } },
      { queryClient },
    )
    setChosen(undefined)
    if (outcome.state === 'done') return setState({ saved: true })
    if (outcome.state === 'refused') {
      return setState({ saved: false, error: `${ownerTexts.notSaved} ${outcome.refusal.reason}` })
    }
    setState({ saved: false, ...(outcome.state === 'unkept' && { error: ownerTexts.notSaved }) })
    void tellKept(outcome, ownerTexts.notSaved)
  }

  const id = `setting-${settingKey}`
  return (
    <div className="setting">
      <div>
        <b id={`${id}-label`}>{label}</b>
        <p id={`${id}-effect`}>
          {effect}
          {group === 'remote' ? <span className="mono"> {settingKey}</span> : null}
        </p>
        <Origin
          settingKey={settingKey}
          origin={origin}
          onReset={() => void save(defaultSettings[settingKey])}
        />
      </div>
      {origin === 'firebase' ? (
        <output aria-labelledby={`${id}-label`}>{value}</output>
      ) : (
        <SettingControl
          id={id}
          settingKey={settingKey}
          value={chosen ?? value}
          isWrong={state.error !== undefined}
          onSave={(next) => void save(next)}
        />
      )}
      <p
        className={state.error === undefined ? 'saved' : 'saved field-error'}
        id={`${id}-state`}
        role="status"
      >
        {state.saved ? <Icon name="check" /> : null}
        {state.error === undefined ? null : <Icon name="warn" />}
        {state.error ?? (state.saved ? ownerTexts.saved : '')}
      </p>
    </div>
  )
}

interface OriginProps {
  readonly settingKey: SettingKey
  readonly origin: SettingOrigin
  readonly onReset: () => void
}

/** Where the value comes from, and the way back to the default. */
function Origin({ settingKey, origin, onReset }: OriginProps) {
  const name = settingWords[settingKey].label
  return (
    <p className="origin">
      {fill(originWords.label, { origin: originWords[origin] })}
      {origin === 'firebase' ? ` · ${originWords.elsewhere}` : null}
      {origin === 'own' && (
        <Button
          tone="quiet"
          small
          aria-label={fill(originWords.resetOf, { name })}
          onClick={onReset}
        >
          {originWords.reset}
        </Button>
      )}
    </p>
  )
}

interface SettingControlProps extends SettingRowProps {
  readonly id: string
  readonly isWrong: boolean
  readonly onSave: (value: string) => void
}

function SettingControl(props: SettingControlProps) {
  const kind = settingKinds[props.settingKey].is
  if (kind === 'flag') return <Switch {...props} on="true" off="false" />
  if (kind === 'theme') return <Switch {...props} on="light" off="dark" />
  return kind === 'sections' ? <SectionChoice {...props} /> : <TextSetting {...props} />
}

function TextSetting({ id, settingKey, value, isWrong, onSave }: SettingControlProps) {
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  if (value !== shown) {
    // Reset here, or changed on another device.
    setShown(value)
    setTyped(value)
  }
  const kind = settingKinds[settingKey].is
  return (
    <div className="field">
      <input
        id={id}
        type={kind === 'email' || kind === 'date' ? kind : 'text'}
        inputMode={kind === 'url' ? 'url' : kind === 'number' ? 'numeric' : undefined}
        autoComplete="off"
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-effect ${id}-state`}
        aria-invalid={isWrong || undefined}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => onSave(typed)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onSave(typed)
        }}
      />
    </div>
  )
}

function Switch({ id, value, on, off, onSave }: SettingControlProps & { on: string; off: string }) {
  return (
    <input
      id={id}
      className="switch"
      type="checkbox"
      role="switch"
      aria-checked={value === on}
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-effect ${id}-state`}
      checked={value === on}
      onChange={(event) => onSave(event.target.checked ? on : off)}
    />
  )
}

/** The keys of the chosen sections, joined by commas. */
function SectionChoice({ id, value, onSave }: SettingControlProps) {
  const hidden = value.split(',').filter(Boolean)
  return (
    <fieldset className="choice" aria-labelledby={`${id}-label`} aria-describedby={`${id}-effect`}>
      {sections.map(({ key, title }) => (
        <label key={key}>
          <input
            type="checkbox"
            checked={hidden.includes(key)}
            onChange={({ target }) => {
              const others = hidden.filter((other) => other !== key)
              onSave((target.checked ? [...others, key] : others).join(','))
            }}
          />
          {title}
        </label>
      ))}
    </fieldset>
  )
}
