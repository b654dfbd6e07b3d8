import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { loginTexts } from '#contract/access/login.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { canKeep, keepNoLonger, keepSession } from '#client/login/kept-session.ts'
import { refreshOpenSessions } from './open-sessions.ts'
import { isKept } from '#client/data/session.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { Switch } from '#client/ui/switch.tsx'
import { LineOutcome } from './setting-line.tsx'

/** Draws nothing where the browser cannot keep a session. */
export function KeepSwitch() {
  const queryClient = useQueryClient()
  const [isOn, setOn] = useState(isKept)
  const [trouble, setTrouble] = useState('')
  if (!canKeep()) return null

  const turn = async (wanted: boolean) => {
    setOn(wanted)
    setTrouble('')
    try {
      await (wanted ? keepSession() : keepNoLonger())
      await refreshOpenSessions(queryClient)
    } catch (error) {
      logProblem('Whether the session is kept here could not be changed', error)
      setTrouble(accessTexts.notTold)
    }
    setOn(isKept())
  }
  return (
    <div className="setting">
      <div>
        <b id="keep-label">{loginTexts.keep}</b>
        <p id="keep-hint">{accessTexts.keepHint}</p>
      </div>
      <Switch
        isOn={isOn}
        onTurn={(wanted) => void turn(wanted)}
        aria-labelledby="keep-label"
        aria-describedby="keep-hint"
      />
      <LineOutcome words={trouble} isBad={trouble !== ''} role="alert" />
    </div>
  )
}
