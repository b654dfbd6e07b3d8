import { isHiddenValue } from '#contract/entries/hidden.ts'
import { hiddenTexts } from '#contract/texts/hidden.ts'
import { Switch } from '#client/ui/switch.tsx'

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
      <Switch
        id={id}
        name={name}
        isOn={isOn}
        onTurn={(wanted) => onChange(wanted ? '' : isHiddenValue)}
        aria-describedby={`${id}-hint`}
      />
    </div>
  )
}
