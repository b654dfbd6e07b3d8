import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contactTexts } from '#contract/messages/contact.ts'
import type { FieldValues } from '#contract/fields.ts'
import type { PostedForm } from '#contract/pages.ts'
import { useQueueNote } from '#client/data/queue-note.ts'
import { useSettings } from '#client/data/overlay.ts'
import { settingsQuery } from '#client/data/queries.ts'
import { focusHeading } from '#client/browser/focus-after-navigation.ts'
import { buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { lazyInBrowser } from '#client/site/lazy-in-browser.tsx'
import { ContactForm } from './contact-form.tsx'
import { ContactLinks } from './contact-links.tsx'

// Only a device that holds a message back ever asks for this code.
const PendingMessages = lazyInBrowser(() =>
  import('#client/outbox/messages/pending-messages.tsx').then((file) => file.PendingMessages),
)

interface ContactProps {
  /** The form as it came without JavaScript, when this page answers it. */
  readonly posted: PostedForm | undefined
}

/** A new turn is a new form. */
interface FormTurn {
  readonly turn: number
  readonly isSent: boolean
  /** A message that is to be edited. */
  readonly text?: FieldValues | undefined
}

export function Contact({ posted }: ContactProps) {
  const settings = useSettings(useSuspenseQuery(settingsQuery).data)
  const [{ turn, isSent, text }, setForm] = useState<FormTurn>({
    turn: 0,
    isSent: posted?.outcome === 'sent',
  })
  const isWaiting = useSticky(useQueueNote().messages > 0)
  /** Shows a new form for the next text, or the thanks. */
  const turnOver = (sent: boolean, next?: FieldValues) => {
    setForm({ turn: turn + 1, isSent: sent, text: next })
    focusHeading()
  }
  return (
    <section className="contact">
      <div className="intro">
        <h1 className="caret">{contactTexts.title}</h1>
        <p className="lead">{[contactTexts.lead, settings.contact_reply_text].join(' ')}</p>
      </div>
      <div className="letters">
        {isWaiting && (
          <PendingMessages
            email={settings.email}
            onEdit={(again) => turnOver(false, again)}
            onDelivered={() => turnOver(true)}
          />
        )}
        {isSent ? (
          <SentPanel
            notice={turn === 0 ? posted?.notice : undefined}
            onAgain={() => turnOver(false)}
          />
        ) : settings.contact_enabled === 'true' ? (
          <ContactForm
            key={turn}
            posted={turn === 0 ? posted : undefined}
            text={text}
            onGone={(how) => turnOver(how === 'sent')}
          />
        ) : (
          <p className="card form alert">
            <Icon name="info" />
            {settings.contact_disabled_text}
          </p>
        )}
      </div>
      <ContactLinks settings={settings} />
    </section>
  )
}

/** Whether it was ever true on this page, so that a part once shown also shows its end. */
function useSticky(now: boolean): boolean {
  const [was, setWas] = useState(now)
  if (now && !was) setWas(true)
  return now || was
}

interface SentPanelProps {
  /** The words for a page without JavaScript, where no snackbar can say them. */
  readonly notice: string | undefined
  readonly onAgain: () => void
}

function SentPanel({ notice, onAgain }: SentPanelProps) {
  return (
    <div className="card form sent">
      <span className="bubble">
        <Icon name="check" />
      </span>
      <h2>{contactTexts.sentTitle}</h2>
      {notice && <p role="status">{notice}</p>}
      <p>{contactTexts.sentBody}</p>
      <a
        className={buttonClass({ tone: 'ghost' })}
        href="/contact"
        onClick={(event) => {
          event.preventDefault()
          onAgain()
        }}
      >
        {contactTexts.again}
      </a>
    </div>
  )
}
