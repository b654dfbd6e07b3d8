import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Fields } from '#contract/fields.ts'
import { loginFields, newPasswordFault } from '#contract/access/login.ts'
import { emailChangeFields, passwordChangeFields } from '#contract/access/own-access.ts'
import { fill, locale } from '#contract/text.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { checkValues } from '#contract/validate.ts'
import { useSession } from '#client/data/session.ts'
import { Button } from '#client/ui/button.tsx'
import { AccessDialog, type AccessDialogProps } from './access-dialog.tsx'
import { KeepSwitch } from './keep-switch.tsx'
import { OpenSessions } from './open-sessions-list.tsx'
import { changePassword, changeUserName, ownAccessQuery } from './own-access.ts'
import { PasskeysList } from './passkeys-list.tsx'

export function AccessSettings() {
  return (
    <>
      <div className="card">
        <EmailRow />
        <PasswordRow />
        <KeepSwitch />
      </div>
      <PasskeysList />
      <OpenSessions />
    </>
  )
}

/** Shows the name this tab knows until the server has answered. */
function EmailRow() {
  const queryClient = useQueryClient()
  const { userName } = useSession()
  const { data } = useQuery(ownAccessQuery)
  return (
    <CredentialRow
      name={accessTexts.email}
      value={data?.userName ?? userName}
      done={accessTexts.emailChanged}
      ask={{
        title: accessTexts.changeEmailOf,
        action: accessTexts.changeEmail,
        fields: emailChangeFields,
        faultsOf: (values) => {
          const checked = checkValues(emailChangeFields, 'create', values)
          return checked.ok ? {} : checked.errors
        },
        send: (values) => changeUserName(queryClient, values),
      }}
    />
  )
}

const dateWords = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })

function PasswordRow() {
  const queryClient = useQueryClient()
  const { userName } = useSession()
  const changedAt = useQuery(ownAccessQuery).data?.passwordChangedAt
  const date = changedAt ? dateWords.format(new Date(changedAt)) : undefined
  return (
    <CredentialRow
      name={loginFields.password.label}
      value={date === undefined ? '' : fill(accessTexts.passwordChangedOn, { date })}
      done={ownerTexts.passwordChanged}
      ask={{
        title: ownerTexts.changePassword,
        action: ownerTexts.changePassword,
        fields: passwordChangeFields,
        userName,
        faultsOf: (values) => {
          const checked = checkValues(passwordChangeFields, 'create', values)
          const fault = newPasswordFault(values.newPassword)
          return {
            ...(fault !== undefined && { newPassword: fault }),
            ...(!checked.ok && checked.errors),
          }
        },
        send: (values) => changePassword(queryClient, values),
      }}
    />
  )
}

interface CredentialRowProps<F extends Fields> {
  readonly name: string
  readonly value: string
  readonly done: string
  readonly ask: Omit<AccessDialogProps<F>, 'hint' | 'onDone' | 'onCancel'>
}

function CredentialRow<const F extends Fields>({ name, value, done, ask }: CredentialRowProps<F>) {
  const [isOpen, setOpen] = useState(false)
  const [notice, setNotice] = useState('')
  return (
    <>
      <div className="setting has-action">
        <div>
          <b>{name}</b>
          {value === '' ? null : <p>{value}</p>}
        </div>
        <Button
          tone="ghost"
          small
          aria-label={ask.title}
          aria-haspopup="dialog"
          onClick={() => {
            setNotice('')
            setOpen(true)
          }}
        >
          {accessTexts.change}
        </Button>
        <p className="saved" role="status">
          {notice}
        </p>
      </div>
      {isOpen ? (
        <AccessDialog
          {...ask}
          hint={accessTexts.othersEnd}
          onCancel={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            setNotice(done)
          }}
        />
      ) : null}
    </>
  )
}
