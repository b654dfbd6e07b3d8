import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { loginTexts } from '#contract/access/login.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { canKeep, keepNoLonger, keepSession } from '#client/login/kept-session.ts'
import { refreshOpenSessions } from './open-sessions.ts'
import { isKept, onSession } from '#client/data/session.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { useStore } from '#client/ui/store.ts'
import { Switch } from '#client/ui/switch.tsx'
import { LineOutcome } from './setting-line.tsx'

const kept = {
  get: isKept,
  /** Another tab may turn it, and it ends where the server keeps it no longer. */
  subscribe: (listener: () => void) => {
    addEventListener('storage', listener)
    const stop = onSession(listener)
    return () => {
      removeEventListener('storage', listener)
      stop()
    }
  },
}

/** The last word to the server: the next one waits for it, also where the settings were left meanwhile. */
let last = Promise.resolve()

/** Draws nothing where the browser cannot keep a session. */
export function KeepSwitch() {
  const queryClient = useQueryClient()
  const isOn = useStore(kept, false)
  const [wanted, want] = useState<boolean>()
  const [trouble, setTrouble] = useState('')
  if (!canKeep()) return null

  const tell = async (isKeeping: boolean) => {
    setTrouble('')
    try {
      await (isKeeping ? keepSession() : keepNoLonger())
      await refreshOpenSessions(queryClient)
    } catch (error) {
      logProblem('Whether the session is kept here could not be changed', error)
      setTrouble(accessTexts.notTold)
    }
  }
  const turn = async (isKeeping: boolean) => {
    want(isKeeping)
    const told = (last = last.then(() => tell(isKeeping)))
    await told
    if (told === last) want(undefined)
  }
  return (
    <div className="setting">
      <div>
        <b id="keep-label">{loginTexts.keep}</b>
        <p id="keep-hint">{accessTexts.keepHint}</p>
      </div>
      <Switch
        isOn={wanted ?? isOn}
        onTurn={(next) => void turn(next)}
        aria-labelledby="keep-label"
        aria-describedby="keep-hint"
      />
      <LineOutcome words={trouble} isBad={trouble !== ''} role="alert" />
    </div>
  )
}
