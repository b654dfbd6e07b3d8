import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { maxPasskeyName, type Passkey } from '#contract/access/access.ts'
import { fill, isBlank, lengthOf } from '#contract/text.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { Button } from '#client/ui/button.tsx'
import { describedBy } from '#client/ui/field.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { isFocusLost } from '#client/ui/lost-focus.ts'
import { Sheet } from '#client/ui/sheet.tsx'
import { useNow } from '#client/ui/use-now.ts'
import { usedWords } from './used-words.ts'

interface PasskeyRowProps {
  readonly passkey: Passkey
  /** The number of the other keys. */
  readonly others: number
  /** Resolves to whether it has the name now. */
  readonly onRename: (name: string) => Promise<boolean>
  readonly onRemove: () => Promise<unknown>
}

export function PasskeyRow({ passkey, others, onRename, onRemove }: PasskeyRowProps) {
  const now = useNow()
  const [open, setOpen] = useState<'name' | 'removal'>()
  const [isRemoving, setRemoving] = useState(false)
  const renamer = useRef<HTMLButtonElement>(null)
  const wasNaming = useRef(false)
  useLayoutEffect(() => {
    if (wasNaming.current && isFocusLost()) renamer.current?.focus()
    wasNaming.current = open === 'name'
  }, [open])
  const remove = async () => {
    setRemoving(true)
    await onRemove()
    setRemoving(false)
  }
  const { name, createdAt, usedAt } = passkey
  const used =
    usedAt === null
      ? accessTexts.keyUnused
      : fill(accessTexts.keyUsed, { when: usedWords(usedAt, now) })
  return (
    <li className="two">
      <Icon name="key" />
      {open === 'name' ? (
        <NameForm
          name={name}
          id={`passkey-${passkey.id}`}
          onSave={async (next) => {
            if (next === name || (await onRename(next))) setOpen(undefined)
          }}
          onCancel={() => setOpen(undefined)}
        />
      ) : (
        <>
          <span>
            <b>{name}</b>
            <small>
              {fill(accessTexts.keyMade, { when: usedWords(createdAt, now) })} · {used}
            </small>
          </span>
          <span className="row-actions">
            <Button
              ref={renamer}
              tone="quiet"
              small
              aria-label={fill(accessTexts.renameOf, { name })}
              onClick={() => setOpen('name')}
            >
              {accessTexts.rename}
            </Button>
            <Button
              tone="quiet"
              small
              busy={isRemoving}
              aria-label={fill(accessTexts.removeOf, { name })}
              onClick={() => setOpen('removal')}
            >
              {accessTexts.remove}
            </Button>
          </span>
        </>
      )}
      {open === 'removal' ? (
        <RemovalQuestion
          name={name}
          others={others}
          onAnswer={(isYes) => {
            setOpen(undefined)
            if (isYes) void remove()
          }}
        />
      ) : null}
    </li>
  )
}

interface NameFormProps {
  readonly id: string
  readonly name: string
  /** Resolves once the server has answered; the form stays where it refused or did not. */
  readonly onSave: (name: string) => Promise<void>
  readonly onCancel: () => void
}

/** Enter saves the name, Escape does not. */
function NameForm({ id, name, onSave, onCancel }: NameFormProps) {
  const [next, setNext] = useState(name)
  const [isTried, setTried] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  const error = faultOf(next, isTried)
  const save = async () => {
    if (isSaving) return
    setTried(true)
    if (faultOf(next, true) !== undefined) return input.current?.focus()
    setSaving(true)
    await onSave(next.trim())
    setSaving(false)
  }
  return (
    <form
      className="rename"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="field">
        <input
          ref={input}
          onKeyDown={({ key }) => {
            if (key === 'Escape') onCancel()
          }}
          aria-label={accessTexts.newName}
          {...describedBy(id, { error })}
          value={next}
          onChange={({ target }) => setNext(target.value)}
        />
        <p className="field-error" id={`${id}-error`} role="status">
          {error === undefined ? null : <Icon name="warn" />}
          {error}
        </p>
      </div>
      <Button type="submit" tone="ghost" small busy={isSaving}>
        {accessTexts.rename}
      </Button>
      <Button tone="quiet" small onClick={onCancel}>
        {ownerTexts.cancel}
      </Button>
    </form>
  )
}

/** An empty name is wrong only once she has tried to save it. */
function faultOf(name: string, isTried: boolean): string | undefined {
  if (lengthOf(name) > maxPasskeyName) return fill(fieldErrors.tooLong, { n: maxPasskeyName })
  return isTried && isBlank(name) ? fieldErrors.required : undefined
}

interface RemovalQuestionProps {
  readonly name: string
  readonly others: number
  readonly onAnswer: (isYes: boolean) => void
}

/** Says what still signs the owner in without this key. */
function RemovalQuestion({ name, others, onAnswer }: RemovalQuestionProps) {
  const { removeLast, removeOne, removeMany } = accessTexts
  const left = others === 0 ? removeLast : others === 1 ? removeOne : removeMany
  return (
    <Sheet
      className="modal"
      title={fill(accessTexts.removeTitle, { name })}
      closeLabel={accessTexts.close}
      onClose={() => onAnswer(false)}
      foot={
        <>
          <Button tone="danger" onClick={() => onAnswer(true)}>
            {accessTexts.removeKey}
          </Button>
          <Button data-first onClick={() => onAnswer(false)}>
            {accessTexts.keepKey}
          </Button>
        </>
      }
    >
      <p>{left}</p>
    </Sheet>
  )
}
