import { isHiddenValue } from '#contract/entries/hidden.ts'
import { hiddenTexts } from '#contract/texts/hidden.ts'

interface SwitchFieldProps {
  readonly id: string
  readonly name: string
  readonly label: string
  /** Whether only the owner sees the entry, as the field says it. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Whether everybody sees the entry: on, unless the field says that it is hidden. */
export function SwitchField({ id, name, label, value, onChange }: SwitchFieldProps) {
  const isOn = value !== isHiddenValue
  return (
    <div className="switch-field">
      <div>
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-hint`}>{hiddenTexts.hint}</p>
      </div>
      <input
        id={id}
        name={name}
        className="switch"
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        aria-describedby={`${id}-hint`}
        checked={isOn}
        onChange={({ target }) => onChange(target.checked ? '' : isHiddenValue)}
      />
    </div>
  )
}
