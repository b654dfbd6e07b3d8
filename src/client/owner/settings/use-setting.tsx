import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { v7 as newId } from 'uuid'
import {
  originOf,
  parseSetting,
  settingError,
  type SettingOrigin,
} from '#contract/settings/kinds.ts'
import type { OwnKey } from '#contract/settings/settings.ts'
import { settingWords } from '#contract/texts/setting-words.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { delay } from '#client/browser/delay.ts'
import { useRemoteSettings } from '#client/data/remote-settings.ts'
import { markDraftQueued } from '#client/outbox/queued-drafts.ts'
import type { Operation, Refusal } from '#client/outbox/operation.ts'
import { isCarried } from '#client/outbox/saved-draft.ts'
import { wordsOf } from '#client/owner/changes/describe-operation.ts'
import { tellKept } from '#client/owner/changes/change-notices.ts'
import { changeSettingOperation, submitChange } from '#client/owner/changes/submit-change.ts'
import { ConflictDialog, type ConflictAnswer } from '#client/owner/editor/conflict-dialog.tsx'

/** How long «Guardado» stays beside a label, in milliseconds. */
const savedForMs = 3000

interface Versions {
  readonly mine: string
  readonly theirs: string
  readonly refusal: Refusal
}

export interface SaveState {
  readonly saved: boolean
  readonly error?: string
}

export interface ShownSetting {
  /** The choice, until the server has it; then the stored value. */
  readonly value: string
  readonly state: SaveState
  readonly origin: SettingOrigin
  /** Saves the choice in place of `before`; returns the value that is kept, undefined for one that the setting cannot take. */
  readonly save: (next: string, before: string) => string | undefined
  /** Called when the stored value stands in the field again: what was wrong with another one is no longer said. */
  readonly putBack: () => void
  /** The question of a conflict with another device, to be drawn on the page. */
  readonly question: ReactNode
}

function asWords(name: OwnKey, value: string) {
  return { [name]: wordsOf({ on: 'settings' }, { name, value }) }
}

/** Saves each change at once, through the queue. */
export function useSetting(key: OwnKey, value: string): ShownSetting {
  const queryClient = useQueryClient()
  const [state, setState] = useState<SaveState>({ saved: false })
  const [chosen, setChosen] = useState<string>()
  const [question, setQuestion] = useState<
    Versions & { answer: (choice: ConflictAnswer) => void }
  >()
  const origin = originOf(key, chosen ?? value, useRemoteSettings())
  const isShown = useIsShown()
  /** How often a value was left to be saved: what became of an earlier one is no news of the last. */
  const turns = useRef(0)

  // A question that goes with its page has nobody left to answer it.
  useEffect(() => () => question?.answer('later'), [question])

  const save: ShownSetting['save'] = (next, before) => {
    // A change is sent once, although the field loses the focus to the question of its conflict.
    if (next === (chosen ?? value) && state.error === undefined) return next
    const parsed = parseSetting(key, next)
    turns.current++
    // What was wrong with another value is not said of one that is on its way.
    setState({ saved: false, ...(parsed === undefined && { error: settingError(key, next) }) })
    if (parsed !== undefined) void send(parsed, before)
    return parsed
  }

  const tellSaved = async (): Promise<void> => {
    const saved = { saved: true }
    setState(saved)
    await delay(savedForMs)
    setState((current) => (current === saved ? { saved: false } : current))
  }

  const send = async (next: string, before: string): Promise<void> => {
    setChosen(next)
    const change = changeSettingOperation(key, next, before)
    const turn = turns.current
    const result = await submitChange(change, { queryClient })
    if (result.state === 'refused' && !isShown()) return leave(change)
    const refusal = result.state === 'refused' ? result.refusal : undefined
    const theirs = refusal?.current?.fields[key]
    if (refusal && theirs !== undefined) {
      const choice = await ask({ mine: next, theirs, refusal })
      if (choice === 'mine') return send(next, theirs)
      if (!isShown()) return leave(change)
      // The typed text stays visible, marked as not saved.
      if (choice === 'later') return setState({ saved: false, error: ownerTexts.notSaved })
      setState({ saved: false })
      // Nobody wants what was typed any more.
      void markDraftQueued(key, true, (draft) => isCarried(draft, change))
      return setChosen(undefined)
    }
    // A newer choice stays: it may not be in the queue yet, and would fall back for a moment.
    setChosen((current) => (current === next ? undefined : current))
    if (result.state === 'saved') return turn === turns.current ? tellSaved() : undefined
    if (result.state === 'refused') {
      return setState({ saved: false, error: `${ownerTexts.notSaved} ${result.refusal.reason}` })
    }
    const isLost = result.because === 'not-kept'
    if (isLost) setState({ saved: false, error: ownerTexts.notSaved })
    else if (turn === turns.current) setState({ saved: false })
    void tellKept(result, ownerTexts.notSaved)
  }

  /** What was refused once its page was left stays in its owner's list of changes, with the reason; who sits here may be another. */
  const leave = async (change: Operation): Promise<void> => {
    const again = { ...change, id: newId() }
    const result = await submitChange(again, { queryClient, isFormless: true })
    if (result.state === 'queued') void tellKept(result, ownerTexts.notSaved)
  }

  const ask = async (versions: Versions): Promise<ConflictAnswer> => {
    const { promise, resolve } = Promise.withResolvers<ConflictAnswer>()
    setQuestion({ ...versions, answer: resolve })
    const choice = await promise
    setQuestion(undefined)
    return choice
  }

  return {
    value: chosen ?? value,
    state,
    origin,
    save,
    // A choice that is not saved is still shown, marked as such.
    putBack: () => chosen === undefined && state.error !== undefined && setState({ saved: false }),
    question: question && (
      <ConflictDialog
        fields={settingWords}
        mine={asWords(key, question.mine)}
        theirs={asWords(key, question.theirs)}
        refusal={question.refusal}
        answer={question.answer}
      />
    ),
  }
}

/** The returned function tells whether the component is still on the page. */
function useIsShown(): () => boolean {
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])
  return () => shown.current
}
