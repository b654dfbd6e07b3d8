import { useEffect, useEffectEvent, useRef } from 'react'
import type { OwnKey } from '#contract/settings/settings.ts'
import { dropDraft, saveDraft, takeDraft, useHasDraft } from '#client/outbox/entry-drafts.ts'

/** What stands in a setting's field, and the value in whose place it was typed. */
interface Typed {
  readonly typed: string
  readonly before: string
}

interface SettingDraft {
  /** Called at every letter. */
  readonly keep: (text: Typed) => void
  readonly save: (text: Typed) => void
}

/**
 * Keeps what is typed into a setting on this device until it is saved, for a field is not left when its page is reloaded or
 * closed. What an earlier page left, and no other tab has, is saved at once, as if its field had been left. `save` tells
 * when its change is over.
 */
export function useSettingDraft(
  key: OwnKey,
  save: (text: Typed, onOver: () => void) => void,
): SettingDraft {
  const form = `setting-${key}`
  const taking = useRef<ReturnType<typeof takeDraft>>(undefined)
  const letters = useRef(0)
  const hasDraft = useHasDraft(form)
  const take = () => (taking.current ??= takeDraft(form))

  const saveText = (text: Typed) => {
    const upTo = letters.current
    save(text, () => {
      // What was typed since is not in the queue.
      if (letters.current === upTo) void drop()
    })
  }
  const drop = async () => {
    const taken = await taking.current
    if (taken) await dropDraft(taken.place)
  }

  const readLeft = useEffectEvent(async () => {
    if (taking.current) return
    const { draft } = await take()
    const typed = draft?.fields[key]
    if (typed === undefined || letters.current > 0) return
    saveText({ typed, before: draft?.base?.[key] ?? '' })
  })

  useEffect(() => {
    if (hasDraft) void readLeft()
  }, [hasDraft])

  useEffect(() => () => void taking.current?.then(({ letGo }) => letGo()), [])

  const keep = async ({ typed, before }: Typed) => {
    letters.current++
    const { place } = await take()
    await saveDraft(place, {
      id: key,
      version: 0,
      fields: { [key]: typed },
      base: { [key]: before },
    })
  }

  return { keep: (text) => void keep(text), save: saveText }
}
