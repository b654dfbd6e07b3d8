import { useActionState, useId, useState } from 'react'
import type { SettingValues } from '#contract/settings/settings.ts'
import {
  checkSiteCopy,
  contactChoices,
  isOwnMachine,
  siteCopyCall,
  siteCopyFields,
  type ContactChoice,
  type SiteCopyLink,
  type SiteCopyWish,
} from '#contract/site-copy.ts'
import { fill } from '#contract/text.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { importTexts } from '#contract/texts/import.ts'
import { siteCopyTexts } from '#contract/texts/site-copy.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { ApiError } from '#client/data/api.ts'
import { fieldErrorsOf } from '#client/login/credentials.ts'
import { callAsOwner } from '#client/session/owner-call.ts'
import { describedBy, FieldFrame } from '#client/ui/field.tsx'
import { FormDialog, type FormOutcome } from './form-dialog.tsx'

interface SiteCopyDialogProps {
  readonly values: SettingValues
  /** Called once the copy is made. */
  readonly onMade: (link: SiteCopyLink) => void
  readonly onClose: () => void
}

/** Asks where a copy will be and where its contact leads; nothing of it is remembered. Closing it ends the call. */
export function SiteCopyDialog({ values, onMade, onClose }: SiteCopyDialogProps) {
  const { email, contact_enabled: isFormOpen } = values
  const [wish, setWish] = useState<SiteCopyWish>(() => ({
    address: '',
    contact: usualContact(email),
    service: '',
  }))
  const id = useId()
  const [leaving] = useState(() => new AbortController())
  const [outcome, submit, isSending] = useActionState<FormOutcome>(
    () => makeCopy(wish, leaving.signal, onMade),
    { errors: {} },
  )
  return (
    <FormDialog
      title={copiesTexts.downloadSite}
      action={siteCopyTexts.download}
      outcome={outcome}
      isSending={isSending}
      onSubmit={submit}
      onCancel={() => {
        leaving.abort()
        onClose()
      }}
    >
      <AddressField
        id={`${id}-address`}
        name="address"
        value={wish.address}
        error={outcome.errors['address']}
        onChange={(address) => setWish({ ...wish, address })}
      />
      {isFormOpen === 'true' ? (
        <>
          <ContactField
            id={`${id}-contact`}
            email={email}
            value={wish.contact}
            onChange={(contact) => setWish({ ...wish, contact })}
          />
          <AddressField
            id={`${id}-service`}
            name="service"
            value={wish.service}
            error={outcome.errors['service']}
            // Whoever writes one wants it to be used.
            onChange={(service) => setWish({ ...wish, service, contact: 'service' })}
          />
        </>
      ) : (
        <p className="hint">{siteCopyTexts.formClosed}</p>
      )}
    </FormDialog>
  )
}

/** Her e-mail where the site has one, else the running site, unless nobody else reaches that. */
function usualContact(email: string): ContactChoice {
  if (email !== '') return 'mail'
  return isOwnMachine(location.hostname) ? 'none' : 'server'
}

interface AddressFieldProps {
  readonly id: string
  readonly name: 'address' | 'service'
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

function AddressField({ id, name, value, error, onChange }: AddressFieldProps) {
  const { label, hint, placeholder } = siteCopyFields[name]
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <input
        id={id}
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        {...describedBy(id, { hint, error })}
      />
    </FieldFrame>
  )
}

interface ContactFieldProps {
  readonly id: string
  readonly email: string
  readonly value: SiteCopyWish['contact']
  readonly onChange: (value: ContactChoice) => void
}

function ContactField({ id, email, value, onChange }: ContactFieldProps) {
  const choices = contactChoices.filter((choice) => choice !== 'mail' || email !== '')
  return (
    <fieldset className="choice" aria-describedby={`${id}-hint`}>
      <legend>{siteCopyTexts.contact}</legend>
      <p className="hint" id={`${id}-hint`}>
        {siteCopyTexts.contactHint}
      </p>
      {choices.map((choice) => (
        <label key={choice}>
          <input
            type="radio"
            name={id}
            checked={choice === value}
            onChange={() => onChange(choice)}
          />
          <span>{fill(siteCopyTexts.choices[choice], { email })}</span>
        </label>
      ))}
    </fieldset>
  )
}

async function makeCopy(
  wish: SiteCopyWish,
  signal: AbortSignal,
  onMade: SiteCopyDialogProps['onMade'],
): Promise<FormOutcome> {
  const checked = checkSiteCopy(wish)
  if (!checked.ok) return { errors: checked.errors }
  try {
    const { json } = await callAsOwner('POST', `${siteCopyCall}/link`, {
      body: checked.value,
      signal,
    })
    if (!signal.aborted) onMade(json as SiteCopyLink)
    return { errors: {} }
  } catch (error) {
    if (signal.aborted) return { errors: {} }
    logProblem('The site could not be downloaded', error)
    const { contact, ...errors } = error instanceof ApiError ? fieldErrorsOf(error) : {}
    if (Object.keys(errors).length > 0) return { errors }
    return { errors, trouble: contact ?? reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.mensaje !== undefined) return error.mensaje
  return navigator.onLine ? importTexts.notDownloaded : importTexts.offlineDownload
}
