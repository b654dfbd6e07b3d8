import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { pushStateQuery } from './notifications.ts'
import { focusHeading } from '#client/browser/focus-after-navigation.ts'
import { getStored, setStored } from '#client/browser/device-storage.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { showNotice } from '#client/ui/notices.ts'
import { switchOn } from './switch-push.ts'

const refusedName = 'push-no'

/** The offer goes with the button that was pressed, once the browser has said what came of it. */
const focusAfter = (offer: HTMLElement | null) => () => {
  if (offer?.contains(document.activeElement)) focusHeading()
}

/** Offers notifications in the product's words before the browser asks; gone for good once it was declined. */
export function PushAsk() {
  const queryClient = useQueryClient()
  const { data: state } = useQuery(pushStateQuery)
  const [isAnswered, setAnswered] = useState(() => getStored(refusedName) !== undefined)
  const [isBusy, setBusy] = useState(false)
  if (isAnswered || state !== 'off') return null
  const accept = async () => {
    setBusy(true)
    const trouble = await switchOn(queryClient)
    setBusy(false)
    if (trouble !== undefined) void showNotice('error-snackbar', trouble)
  }
  return (
    <section ref={focusAfter} className="card push-ask" aria-labelledby="push-ask-title">
      <Icon name="bell" />
      <div>
        <h2 id="push-ask-title">{noticeTexts.ask}</h2>
        <p>{noticeTexts.askHint}</p>
      </div>
      <div className="actions">
        <Button
          tone="quiet"
          onClick={() => {
            setStored(refusedName, '1')
            setAnswered(true)
          }}
        >
          {noticeTexts.askLater}
        </Button>
        <Button busy={isBusy} onClick={() => void accept()}>
          {noticeTexts.askYes}
        </Button>
      </div>
    </section>
  )
}
