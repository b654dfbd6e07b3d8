import { useEffect, useRef, type ClipboardEvent, type KeyboardEvent, type ReactNode } from 'react'
import { imageSource } from '#contract/image.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { texts } from '#contract/texts.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Button } from '#client/ui/button.tsx'
import { formRows } from './form-rows.ts'
import { ImageField } from './image-field.tsx'
import { TextField } from './text-field.tsx'
import type { EntryForm as FormState } from './use-entry-form.ts'

interface EntryFormProps {
  readonly state: FormState
  readonly className: string
  readonly submitLabel: string
  readonly onCancel: () => void
  /** The picture shown until one is chosen: the stored one or a placeholder. */
  readonly placeholder: string
  /** The field that names the entry, and what to say about its name. */
  readonly note?: { readonly name: string; readonly text: string }
  readonly children?: ReactNode
}

/** The form of a section or of the profile; Ctrl/⌘+Enter sends it, Escape cancels, a pasted picture is taken. */
export function EntryForm(props: EntryFormProps) {
  const { state, className, submitLabel, onCancel, note, children } = props
  const { form, fields, values, errors, moment, attempts } = state
  const box = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (attempts > 0) box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- shortcuts of every field inside; each has its button too
    <form
      // Emptied after a success it is a new form, in which nobody has left anything out yet.
      key={state.id}
      ref={box}
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        void state.submit()
      }}
      noValidate
      onKeyDown={(event) => answerKey(event, onCancel)}
      onPaste={(event) => takePicture(event, (file) => void state.pick(file))}
    >
      {children}
      {formRows(fields).map((row) => (
        <div key={row.join()} className={row.length > 1 ? 'row' : 'single'}>
          {row.map((name) => {
            const field = fields[name]
            return field === undefined ? null : (
              <TextField
                key={name}
                id={`${form}-${name}`}
                name={name}
                field={field}
                moment={moment}
                value={values[name] ?? ''}
                error={errors[name]}
                note={note?.name === name ? note.text : undefined}
                onChange={(value) => state.change(name, value)}
              />
            )
          })}
        </div>
      ))}
      <Picture {...props} />
      <div className="actions">
        <FormState state={state} />
        <Button tone="ghost" onClick={onCancel}>
          {ownerTexts.cancel}
        </Button>
        <Button type="submit" busy={state.isSending} aria-disabled={state.isSending || undefined}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

function Picture({ state, placeholder }: EntryFormProps) {
  const { imageField, fields, form, values, errors, picture, progress } = state
  const field = imageField === undefined ? undefined : fields[imageField]
  if (imageField === undefined || field === undefined) return null
  const stored = values[imageField] ?? ''
  const { width, height } = imageSource(placeholder)
  return (
    <ImageField
      id={`${form}-${imageField}`}
      label={field.label}
      shown={picture?.url ?? (stored === '' ? placeholder : stored)}
      hasStored={stored !== ''}
      isLogo={width === height}
      picture={picture?.file}
      progress={progress}
      error={errors[imageField]}
      onPick={(file) => void state.pick(file)}
    />
  )
}

/** Where the text stands: recovered, kept on this device, or not saved. */
function FormState({ state }: { readonly state: FormState }) {
  const { isRecovered, isKept, isDirty, moment } = state
  const kept = moment === 'create' ? ownerTexts.draftKept : ownerTexts.unsaved
  const text = isRecovered ? texts.draftBack : isKept || isDirty ? kept : ''
  return (
    <div className="form-state">
      <span className="state" role="status">
        {text === '' ? null : (
          <Icon name={isRecovered || moment === 'create' ? 'check' : 'pencil'} />
        )}
        {text}
      </span>
      {isRecovered ? (
        <Button tone="quiet" small onClick={state.forget}>
          {ownerTexts.discardDraft}
        </Button>
      ) : null}
    </div>
  )
}

function answerKey(event: KeyboardEvent<HTMLFormElement>, onCancel: () => void): void {
  if (event.nativeEvent.isComposing || event.defaultPrevented) return
  if (event.key === 'Escape') {
    event.preventDefault()
    onCancel()
  }
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
}

function takePicture(event: ClipboardEvent, onPick: (file: File) => void): void {
  const file = event.clipboardData.files[0]
  if (file === undefined) return
  event.preventDefault()
  onPick(file)
}
