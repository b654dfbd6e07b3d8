import { useState, type ComponentProps } from 'react'
import { IconButton } from './button.tsx'

interface PasswordInputProps extends ComponentProps<'input'> {
  readonly showLabel: string
  readonly hideLabel: string
}

/** A password that can be looked at while it is typed. */
export function PasswordInput({ showLabel, hideLabel, ...rest }: PasswordInputProps) {
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
