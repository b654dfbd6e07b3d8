import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contactTexts } from '#contract/contact.ts'
import type { PostedForm } from '#contract/pages.ts'
import { settingsQuery } from '#client/data/queries.ts'
import { focusHeading } from '#client/platform/arrival.ts'
import { Icon } from '#client/ui/icon.tsx'
import { ContactForm } from './contact-form.tsx'
import { ContactWays } from './contact-ways.tsx'
import { SentPanel } from './sent-panel.tsx'

interface ContactProps {
  /** The form as it came without JavaScript, when this page answers it. */
  readonly posted: PostedForm | undefined
}

/** The page to write to the owner: the form, or what became of it, and the other ways to her. */
export function Contact({ posted }: ContactProps) {
  const { data: settings } = useSuspenseQuery(settingsQuery)
  const [isSent, setSent] = useState(posted?.outcome === 'sent')
  const change = (sent: boolean) => {
    setSent(sent)
    focusHeading()
  }
  return (
    <section className="contact">
      <div className="intro">
        <h1 className="caret">{contactTexts.title}</h1>
        <p className="lead">{contactTexts.lead}</p>
      </div>
      {isSent ? (
        <SentPanel notice={posted?.notice} onAgain={() => change(false)} />
      ) : settings.contact_enabled === 'true' ? (
        <ContactForm
          posted={posted?.outcome === 'sent' ? undefined : posted}
          onSent={() => change(true)}
        />
      ) : (
        <p className="card form alert">
          <Icon name="info" />
          {contactTexts.closed}
        </p>
      )}
      <ContactWays settings={settings} />
    </section>
  )
}
