import {
  useEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { altField } from '#contract/images/alternative-text.ts'
import type { Fields } from '#contract/fields.ts'
import { imageSource } from '#contract/images/image.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { focusHeading } from '#client/browser/focus-after-navigation.ts'
import { Alert } from '#client/ui/alert.tsx'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { isFocusLost } from '#client/ui/lost-focus.ts'
import { FormBar, type FormStatus } from './form-bar.tsx'
import { formRows } from './form-rows.ts'
import { SwitchField } from './switch-field.tsx'
import { ImageField } from './image-field.tsx'
import { TextField } from './text-field.tsx'
import { wrongFields } from './wrong-fields.ts'
import type { EntryFormState } from './use-entry-form.ts'
import { focusFirstField } from './first-field.ts'

interface EntryFormProps {
  readonly state: EntryFormState
  readonly className: string
  readonly submitLabel: string
  readonly onCancel: () => void
  /** The stored picture or a placeholder, shown until one is chosen. */
  readonly placeholder: string
  /** The field that names the entry, and what to say about its name. */
  readonly note?: { readonly name: string; readonly text: string } | undefined
  readonly children?: ReactNode
}

/** Ctrl/⌘+Enter sends it, Escape cancels, and a pasted picture is taken. */
export function EntryForm(props: EntryFormProps) {
  const { state, className, submitLabel, onCancel, children } = props
  const { fields, attempts } = state
  const box = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (attempts > 0) box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])
  // A form that was emptied is another one, and what had the focus is gone: the page goes on from its heading.
  const drawn = useRef(state.id)
  useEffect(() => {
    if (drawn.current !== state.id && isFocusLost()) focusHeading()
    drawn.current = state.id
  }, [state.id])
  // Removing an answered offer would lose the focus of its button, and an emptied form is a new one.
  const [answers, setAnswers] = useState(0)
  useEffect(() => {
    if (answers > 0) focusFirstField(box.current)
  }, [answers])
  const answer = (apply: () => void) => () => {
    apply()
    setAnswers(answers + 1)
  }
  const { earlier } = state
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- shortcuts of every field inside; each has its button too
    <form
      // A form emptied after a success is a new one, without errors.
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
      {earlier && (
        <EarlierDraft recover={answer(earlier.recover)} discard={answer(earlier.discard)} />
      )}
      <Rows {...props} names={named(fields, false)} />
      <Picture {...props} />
      <MoreRows {...props} />
      <Switches state={state} />
      <FormBar
        status={statusOf(state)}
        onDiscard={state.isRecovered ? answer(state.forget) : undefined}
        onCancel={onCancel}
        submitLabel={submitLabel}
        isSending={state.isSending}
      />
    </form>
  )
}

/** Splits the fields into those of every entry and those of few. */
const named = (fields: Fields, isMore: boolean): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, field]) => (field.isMore ?? false) === isMore),
  )

interface RowsProps extends Pick<EntryFormProps, 'state' | 'note'> {
  readonly names: Fields
}

function Rows({ state, note, names }: RowsProps) {
  const { form, values, errors, mode } = state
  return formRows(names).map((row) => (
    <div key={row.join()} className={row.length > 1 ? 'row' : 'single'}>
      {row.map((name) => {
        const field = names[name]
        return field === undefined ? null : (
          <TextField
            key={name}
            id={`${form}-${name}`}
            name={name}
            field={field}
            mode={mode}
            value={values[name] ?? ''}
            error={errors[name]}
            note={note?.name === name ? note.text : undefined}
            onChange={(value) => state.change(name, value)}
          />
        )
      })}
    </div>
  ))
}

/** The fields of few entries: open where this entry has one, or where one has an error. */
function MoreRows({ state, note }: EntryFormProps) {
  const names = named(state.fields, true)
  const isUsed = Object.keys(names).some((name) => state.values[name] || state.errors[name])
  const [isOpen, setOpen] = useState(isUsed)
  if (Object.keys(names).length === 0) return null
  return (
    <details
      className="unfolds more-fields"
      open={isOpen || isUsed}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {ownerTexts.moreFields}
        <Icon name="unfold" />
      </summary>
      <Rows state={state} note={note} names={names} />
    </details>
  )
}

function Switches({ state: { fields, form, values, change } }: Pick<EntryFormProps, 'state'>) {
  return Object.entries(fields).map(([name, { kind, label }]) =>
    kind === 'switch' ? (
      <SwitchField
        key={name}
        id={`${form}-${name}`}
        name={name}
        label={label}
        value={values[name] ?? ''}
        onChange={(value) => change(name, value)}
      />
    ) : null,
  )
}

/**
 * The picture with its description, which is asked for only while there is a picture. They share one place, whose height
 * is the same with and without one, so that no button below moves.
 */
function Picture({ state, placeholder }: EntryFormProps) {
  const { imageField, fields, form, values, errors, picture, progress, mode } = state
  const field = imageField === undefined ? undefined : fields[imageField]
  if (imageField === undefined || field === undefined) return null
  const stored = values[imageField] ?? ''
  const { width, height } = imageSource(placeholder)
  const alt = fields[altField]
  const isGood = (picture !== undefined || stored !== '') && !state.refused
  return (
    <div className={state.frame === undefined ? 'picture' : 'picture framed'}>
      <ImageField
        id={`${form}-${imageField}`}
        label={field.label}
        shown={picture?.url ?? (stored === '' ? placeholder : stored)}
        hasStored={stored !== ''}
        isLogo={width === height}
        picture={picture?.file}
        progress={progress}
        error={errors[imageField]}
        refused={state.refused?.file}
        onPick={(file) => void state.pick(file)}
        onWithout={state.goOnWithoutPicture}
        onRemove={state.removePicture}
        framing={state.framing}
      />
      {alt && isGood && (
        <TextField
          id={`${form}-${altField}`}
          name={altField}
          field={alt}
          mode={mode}
          value={values[altField] ?? ''}
          error={errors[altField]}
          onChange={(value) => state.change(altField, value)}
        />
      )}
    </div>
  )
}

const keepings = {
  nothing: { text: ownerTexts.unchanged },
  writing: { icon: 'clock', tone: 'pencil-tone', text: ownerTexts.draftSaving, isPassing: true },
  kept: { icon: 'check', tone: 'ok-tone', text: ownerTexts.draftKept },
  refused: { icon: 'pencil', tone: 'pencil-tone', text: ownerTexts.unsaved },
} as const satisfies Record<string, FormStatus>

/**
 * An error that keeps the form from being sent comes first; otherwise where its text is: recovered, on this device or
 * being written, or only on the page.
 */
function statusOf({ refused, errors, attempts, isRecovered, keeping }: EntryFormState): FormStatus {
  // Before the first attempt each field shows its own error.
  const found = attempts > 0 ? wrongFields(errors) : undefined
  const wrong = refused ? ownerTexts.imageRefused : found
  if (wrong !== undefined) return { icon: 'warn', tone: 'bad-tone', text: wrong }
  return isRecovered ? { icon: 'check', tone: 'ok-tone', text: texts.draftBack } : keepings[keeping]
}

/** Stays above the form until it is answered, so that nothing moves when the person begins to type. */
function EarlierDraft({ recover, discard }: NonNullable<EntryFormState['earlier']>) {
  return (
    <Alert isWide tone="pencil" icon="pencil" words={ownerTexts.draftEarlier}>
      <span className="ways">
        <Button tone="quiet" small onClick={recover}>
          {ownerTexts.recoverDraft}
        </Button>
        <Button tone="quiet" small onClick={discard}>
          {ownerTexts.discardDraft}
        </Button>
      </span>
    </Alert>
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
