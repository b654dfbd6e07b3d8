import { useEffect, type ReactNode } from 'react'
import type { Section } from '#contract/sections/section.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { takeReopen } from '#client/owner/drafts/entry-drafts.ts'
import { buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import '#client/styles/owner.css'
import { DeadLinkAlert } from './dead-link.tsx'
import type { OpenDraft } from './draft-start.ts'
import { FormDraft } from './form-draft.tsx'
import { newForm } from './form-keys.ts'
import { SectionForm } from './section-form.tsx'
import { useNewEntry } from './use-new-entry.ts'
import { focusFirstField } from './first-field.ts'

interface NewEntryProps {
  readonly section: Section
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
}

const panelId = (section: Section) => `new-${section.key}`
const buttonId = (section: Section) => `open-${section.key}`

/** Turns into the form's close button. */
export function NewEntryButton({
  section,
  isOpen,
  setOpen,
  children,
}: NewEntryProps & { readonly children: ReactNode }) {
  const label = isOpen ? ownerTexts.closePanel : section.words.add
  return (
    <div className="actions-slot">
      {children}
      <button
        id={buttonId(section)}
        type="button"
        className={buttonClass({ tone: isOpen ? 'ghost' : 'pencil' }, 'plus')}
        aria-expanded={isOpen}
        aria-controls={panelId(section)}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="plus" />
        <span aria-hidden="true">{isOpen ? texts.close : section.words.add}</span>
      </button>
    </div>
  )
}

interface NewEntryPanelProps extends NewEntryProps {
  /** Called once the entry is in the list. */
  readonly onCreated: () => void
}

/** Closing keeps the typed text. */
export function NewEntryPanel(props: NewEntryPanelProps) {
  return (
    <>
      <DeadLinkAlert section={props.section} />
      <FormDraft isNew isClosed={!props.isOpen} form={newForm(props.section)}>
        {(kept) => <KeptPanel {...props} kept={kept} />}
      </FormDraft>
    </>
  )
}

interface KeptPanelProps extends NewEntryPanelProps {
  readonly kept: OpenDraft
}

function KeptPanel({ section, isOpen, setOpen, onCreated, kept }: KeptPanelProps) {
  const form = newForm(section)
  const close = () => {
    setOpen(false)
    document.getElementById(buttonId(section))?.focus()
  }
  const state = useNewEntry(section, kept, {
    onCreated: () => {
      close()
      onCreated()
    },
  })

  useEffect(() => {
    if (takeReopen(form)) setOpen(true)
  }, [form, setOpen])

  useEffect(() => {
    if (!isOpen) return
    focusFirstField(document.getElementById(panelId(section)))
  }, [isOpen, section])

  const titleId = `${panelId(section)}-title`
  return (
    <section id={panelId(section)} className="panel" hidden={!isOpen} aria-labelledby={titleId}>
      <div className="clip">
        <div className="inner">
          <SectionForm
            section={section}
            state={state}
            className="form"
            onCancel={close}
            title={{ id: titleId, text: section.words.add }}
          />
        </div>
      </div>
    </section>
  )
}
