import { useState, type ComponentProps } from 'react'
import type { Field } from '#contract/fields.ts'
import { loginTexts } from '#contract/access/login.ts'
import { describedBy, FieldFrame } from '#client/ui/field.tsx'
import { IconButton } from '#client/ui/button.tsx'

interface CredentialFieldProps {
  readonly id: string
  readonly field: Field
  /** What stands in it; without `onChange`, what stands in it at first. */
  readonly value: string
  readonly error?: string | undefined
  /** Marks the control as wrong where the sentence that says so stands elsewhere. */
  readonly isWrong?: boolean
  /** Absent: the field keeps its own text, so that what was typed before the application ran stays. */
  readonly onChange?: (value: string) => void
}

/** A user name or a password: what the browser's password manager fills in. */
export function CredentialField(props: CredentialFieldProps) {
  const { id, field, value, error, isWrong = false, onChange } = props
  const { label, hint, autocomplete } = field
  const described = describedBy(id, { hint, error })
  const control = {
    id,
    ...(onChange
      ? {
          value,
          onChange: ({ target }: { readonly target: { readonly value: string } }) =>
            onChange(target.value),
        }
      : { defaultValue: value }),
    required: true,
    autoComplete: autocomplete,
    ...described,
    'aria-invalid': isWrong || described['aria-invalid'],
  }
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      {field.kind === 'password' ? (
        <PasswordInput
          {...control}
          name="password"
          showLabel={loginTexts.showPassword}
          hideLabel={loginTexts.hidePassword}
        />
      ) : (
        <input {...control} name="userName" type="email" />
      )}
    </FieldFrame>
  )
}

interface PasswordInputProps extends ComponentProps<'input'> {
  readonly showLabel: string
  readonly hideLabel: string
}

/** A password that can be looked at while it is typed. */
function PasswordInput({ showLabel, hideLabel, ...rest }: PasswordInputProps) {
  const [isShown, setShown] = useState(false)
  return (
    <div className="with-button">
      <input
        {...rest}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <IconButton
        icon={isShown ? 'eye-off' : 'eye'}
        label={isShown ? hideLabel : showLabel}
        onClick={() => setShown(!isShown)}
      />
    </div>
  )
}
