import { contactTexts } from '#contract/messages/contact.ts'
import { buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'

interface SentPanelProps {
  /** Said here when no snackbar could say it: without JavaScript. */
  readonly notice: string | undefined
  readonly onAgain: () => void
}

/** In the form's place once the message is sent. */
export function SentPanel({ notice, onAgain }: SentPanelProps) {
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
