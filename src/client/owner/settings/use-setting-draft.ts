import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { OwnKey } from '#contract/settings/settings.ts'
import { sharedLocks } from '#client/browser/locks.ts'
import { getSession } from '#client/data/session.ts'
import { ownedBy } from '#client/outbox/owned-drafts.ts'
import { freePlace } from '#client/owner/drafts/draft-places.ts'
import {
  dropDraft,
  saveDraft,
  takeDraft,
  useHasDraft,
  type TakenDraft,
} from '#client/owner/drafts/entry-drafts.ts'
import { isProven } from '#client/session/proven.ts'

/** What stands in a setting's field, as the setting takes it, and the value in whose place it was typed. */
interface Typed {
  readonly typed: string
  readonly before: string
}

interface SettingDraftOptions {
  readonly settingKey: OwnKey
  /** The stored value; undefined until it is known. */
  readonly value: string | undefined
  /** Returns the value that goes to the queue; undefined for one that the setting cannot take. */
  readonly save: (text: Typed) => string | undefined
}

interface SettingDraft {
  /** Called before the first letter, so that even that has its place. */
  readonly begin: () => void
  /** Called at every letter. */
  readonly keep: (text: Typed) => void
  /** Returns what the setting's own saving does. */
  readonly save: (text: Typed) => string | undefined
}

/**
 * Keeps what is typed into a setting on this device until the queue has it, for a field is not left when its page is reloaded
 * or closed. What an earlier page left, and no other tab has, is saved at once, as if its field had been left.
 */
export function useSettingDraft({ settingKey, value, save }: SettingDraftOptions): SettingDraft {
  const form = `setting-${settingKey}`
  const taking = useRef<ReturnType<typeof takeDraft>>(undefined)
  const clearing = useRef<Promise<string>>(undefined)
  const isLeftSaved = useRef(false)
  const letters = useRef(0)
  const isPlaced = useRef(false)
  /** The last letter that the queue was given before there was a place for it. */
  const unplaced = useRef(-1)
  const [account] = useState(() => getSession().account)
  const hasDraft = useHasDraft(form)
  const isRead = value !== undefined
  const take = () => (taking.current ??= takeDraft(form))
  /** Where what is typed is kept; what an earlier page left there, and could not be saved before the first letter, goes beside. */
  const clear = () => (clearing.current ??= take().then(leaveBeside))

  const leaveBeside = async ({ place, draft }: TakenDraft): Promise<string> => {
    // Without locks it may be what another tab is typing.
    const free = draft && !isLeftSaved.current && sharedLocks() && (await freePlace(form))
    if (!free) return place
    await saveDraft(free.place, draft)
    free.unlock()
    return place
  }

  const write = async ({ typed, before }: Typed): Promise<void> => {
    const [mine, isLate] = [letters.current, !isPlaced.current]
    const place = await clear()
    isPlaced.current = true
    if (typed === value || (isLate && mine <= unplaced.current)) return dropDraft(place)
    const [fields, base] = [{ [settingKey]: typed }, { [settingKey]: before }]
    await saveDraft(place, { ...ownedBy(account), id: settingKey, version: 0, fields, base })
  }

  const saveText = (text: Typed) => {
    // A field that goes because somebody else signs in, or nobody does, leaves its text to whoever typed it.
    if (getSession().account !== account) return undefined
    const saved = save(text)
    if (saved !== undefined && !isPlaced.current) unplaced.current = letters.current
    // Written before the queue has it, which knows by its text that the draft is handed over.
    if (saved !== undefined && taking.current) void write({ ...text, typed: saved })
    return saved
  }

  const readLeft = useEffectEvent(async () => {
    const isTooLate = () => isLeftSaved.current || letters.current > 0
    // Without locks another tab may be typing it at this moment.
    if (isTooLate() || !sharedLocks() || !(await isProven())) return
    const { draft } = await take()
    const typed = draft?.fields[settingKey]
    if (typed === undefined || isTooLate()) return
    isLeftSaved.current = true
    isPlaced.current = true
    saveText({ typed, before: draft?.base?.[settingKey] ?? '' })
  })

  useEffect(() => {
    if (hasDraft && isRead) void readLeft()
  }, [hasDraft, isRead])

  useEffect(() => () => void taking.current?.then(({ unlock }) => unlock()), [])

  return {
    begin: () => void take(),
    keep: (text) => {
      letters.current++
      void write(text)
    },
    save: saveText,
  }
}
