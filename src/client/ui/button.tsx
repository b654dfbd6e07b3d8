import type { ComponentProps } from 'react'
import { Icon } from './icon.tsx'

type ButtonTone = 'ghost' | 'quiet' | 'pencil' | 'danger'

interface ButtonLook {
  /** Absent: the page's one primary button. */
  readonly tone?: ButtonTone | undefined
  readonly small?: boolean | undefined
}

export function buttonClass({ tone, small }: ButtonLook = {}, extra?: string): string {
  return ['btn', tone, small ? 'small' : undefined, extra].filter(Boolean).join(' ')
}

interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  readonly icon?: string | undefined
  /** The button keeps its label and shows a spinner. */
  readonly busy?: boolean | undefined
}

export function Button({
  tone,
  small,
  icon,
  busy,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ tone, small }, className)}
      aria-busy={busy ? true : undefined}
      // React would queue a form's action and run it again; Enter in a field presses the button, too.
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {icon && !busy ? <Icon name={icon} /> : null}
      {children}
    </button>
  )
}

interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: string
  /** Read by screen readers and shown as its tooltip. */
  readonly label: string
}

export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={className ? `icon-btn ${className}` : 'icon-btn'}
    >
      <Icon name={icon} />
    </button>
  )
}
