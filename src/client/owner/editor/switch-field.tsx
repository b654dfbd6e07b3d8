import { isHiddenValue } from '#contract/entries/hidden.ts'
import { hiddenTexts } from '#contract/texts/hidden.ts'
import { Switch } from '#client/ui/switch.tsx'

interface SwitchFieldProps {
  readonly id: string
  readonly name: string
  readonly label: string
  /** The field's value, which says whether the entry is hidden. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** On unless the value says that the entry is hidden. */
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
