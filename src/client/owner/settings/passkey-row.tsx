import { useEffect, useRef, useState } from 'react'
import { maxPasskeyName, type Passkey } from '#contract/access/access.ts'
import { fill, isBlank, lengthOf } from '#contract/text.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { Button } from '#client/ui/button.tsx'
import { DangerQuestion } from '#client/ui/danger-question.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { useNow } from '#client/ui/use-now.ts'
import { usedWords } from './used-words.ts'

interface PasskeyRowProps {
  readonly passkey: Passkey
  /** The number of the other keys. */
  readonly others: number
  readonly onRename: (name: string) => void
  readonly onRemove: () => void
}

export function PasskeyRow({ passkey, others, onRename, onRemove }: PasskeyRowProps) {
  const now = useNow()
  const [open, setOpen] = useState<'name' | 'removal'>()
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
          onDone={(next) => {
            setOpen(undefined)
            if (next !== undefined && next !== name) onRename(next)
          }}
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
            if (isYes) onRemove()
          }}
        />
      ) : null}
    </li>
  )
}

interface NameFormProps {
  readonly name: string
  /** Undefined where the key keeps its name. */
  readonly onDone: (name?: string) => void
}

/** Enter saves the name, Escape does not. */
function NameForm({ name, onDone }: NameFormProps) {
  const [next, setNext] = useState(name)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  const isFit = !isBlank(next) && lengthOf(next) <= maxPasskeyName
  return (
    <form
      className="rename"
      onSubmit={(event) => {
        event.preventDefault()
        if (isFit) onDone(next.trim())
      }}
    >
      <input
        ref={input}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onDone()
        }}
        aria-label={accessTexts.newName}
        aria-invalid={!isFit}
        value={next}
        onChange={({ target }) => setNext(target.value)}
      />
      <Button type="submit" tone="ghost" small>
        {accessTexts.rename}
      </Button>
      <Button tone="quiet" small onClick={() => onDone()}>
        {ownerTexts.cancel}
      </Button>
    </form>
  )
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
    <DangerQuestion
      title={fill(accessTexts.removeTitle, { name })}
      yes={accessTexts.removeKey}
      no={accessTexts.keepKey}
      onYes={() => onAnswer(true)}
      onNo={() => onAnswer(false)}
    >
      {left}
    </DangerQuestion>
  )
}
