import { useEffect, useEffectEvent, useState } from 'react'
import type { OwnKey } from '#contract/settings/settings.ts'
import { markUnsaved } from '#client/data/unsaved.ts'
import { useSettingDraft } from './use-setting-draft.ts'
import type { ShownSetting } from './use-setting.tsx'

/** How a value is shown in its field, and read back. */
export interface Writing {
  readonly write: (value: string) => string
  readonly read: (typed: string) => string
}

const asIs: Writing = { write: (value) => value, read: (typed) => typed }

interface TypedSettingOptions {
  readonly settingKey: OwnKey
  /** The choice, until the server has it; then the stored value. */
  readonly value: string
  /** The stored value is not known yet, or cannot be changed here. */
  readonly isUnread?: boolean | undefined
  /** Saves the choice in place of the value shown before; returns the value that is kept. */
  readonly onSave: ShownSetting['save']
  /** Called at every letter, and with the value that is kept. */
  readonly onTyping?: ((value: string) => void) | undefined
  readonly writing?: Writing | undefined
  /** How often a value was picked beside the field. */
  readonly picks?: number | undefined
}

interface TypedSetting {
  /** What stands in the field. */
  readonly typed: string
  /** Called when the field takes the focus. */
  readonly begin: () => void
  /** Called at every letter. */
  readonly type: (typed: string) => void
  /** Returns the value that is kept; undefined for one that the setting cannot take. */
  readonly save: () => string | undefined
}

/** What is being typed into a setting, which nothing takes away until it is saved. */
export function useTypedSetting({
  settingKey,
  value,
  isUnread = false,
  onSave,
  onTyping,
  writing = asIs,
  picks = 0,
}: TypedSettingOptions): TypedSetting {
  const id = `setting-${settingKey}`
  const [typed, setTyped] = useState(writing.write(value))
  const [shown, setShown] = useState(value)
  // The value when typing began, which may differ from the present one.
  const [before, setBefore] = useState(value)
  if (value !== shown) {
    // The value was reset here, or changed on another device; typing under way is not replaced.
    setShown(value)
    if (typed === writing.write(shown)) setTyped(writing.write(value))
  }
  const [seenPicks, setSeenPicks] = useState(picks)
  if (picks !== seenPicks) {
    // What was typed and refused would stand beside «Guardado».
    setSeenPicks(picks)
    setTyped(writing.write(value))
  }
  const isTouched = typed !== writing.write(value)
  const draft = useSettingDraft({
    settingKey,
    value: isUnread ? undefined : value,
    save: (text) => {
      setBefore(text.before)
      setTyped(writing.write(text.typed))
      const kept = onSave(text.typed, text.before)
      if (kept !== undefined) {
        setTyped(writing.write(kept))
        onTyping?.(kept)
      }
      return kept
    },
  })
  const save = () =>
    isTouched ? draft.save({ typed: writing.read(typed), before }) : onSave(value, value)

  // The next page does not take up again what a pick has replaced.
  const dropTyped = useEffectEvent(() => draft.keep({ typed: value, before: value }))
  useEffect(() => {
    if (picks > 0) dropTyped()
  }, [picks])

  useEffect(() => {
    markUnsaved(id, isTouched)
    return () => markUnsaved(id, false)
  }, [id, isTouched])

  // Whoever goes back leaves the field too, but a browser says so of no field that goes with its page.
  const saveTouched = useEffectEvent(() => isTouched && save())
  useEffect(() => () => void saveTouched(), [])

  return {
    typed,
    begin: draft.begin,
    type: (next) => {
      const from = isTouched ? before : value
      setBefore(from)
      setTyped(next)
      const text = writing.read(next)
      draft.keep({ typed: text, before: from })
      onTyping?.(text)
    },
    save,
  }
}
