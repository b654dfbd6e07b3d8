import type { ComponentProps } from 'react'

interface SwitchProps extends Omit<ComponentProps<'input'>, 'checked' | 'onChange'> {
  readonly isOn: boolean
  readonly onTurn: (isOn: boolean) => void
}

/** Its name comes from a label, or from `aria-labelledby`. */
export function Switch({ isOn, onTurn, ...rest }: SwitchProps) {
  return (
    <input
      {...rest}
      className="switch"
      type="checkbox"
      role="switch"
      aria-checked={isOn}
      checked={isOn}
      onChange={({ target }) => onTurn(target.checked)}
    />
  )
}
