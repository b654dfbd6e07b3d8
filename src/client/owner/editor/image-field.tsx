import { useRef, useState, type DragEvent } from 'react'
import { imageSource } from '#contract/images/image.ts'
import { imageEndings } from '#contract/limits.ts'
import { fill, locale } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { describedBy } from '#client/ui/field.tsx'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import type { EntryFormState } from './use-entry-form.ts'

interface ImageFieldProps {
  readonly id: string
  readonly label: string
  /** Address of the stored picture or of the placeholder. */
  readonly shown: string
  readonly hasStored: boolean
  /** Logos and icons are shown whole, photographs fill their box. */
  readonly isLogo: boolean
  readonly picture: File | undefined
  readonly progress: number | undefined
  readonly error: string | undefined
  /** A file that cannot be sent, named in the picture's place. */
  readonly refused: File | undefined
  readonly onPick: (file: File) => void
  readonly onWithout: () => void
  /** Leaves the entry without a picture, also without the stored one. */
  readonly onRemove: () => void
  readonly framing: EntryFormState['framing']
}

/** The real file input covers the drop area, so that click, keyboard and drop all reach it. */
export function ImageField(props: ImageFieldProps) {
  const { id, label, shown, hasStored, isLogo, picture, progress, error } = props
  const { refused, onPick, onWithout, onRemove, framing } = props
  const hasOne = picture !== undefined || hasStored
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const file = refused ?? picture
  const drop = (event: DragEvent) => {
    setOver(false)
    const dropped = event.dataTransfer.files[0]
    if (dropped === undefined) return
    event.preventDefault()
    onPick(dropped)
  }
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div
        className={[
          'drop',
          !refused && !hasOne && 'empty-drop',
          isLogo && 'logo',
          isOver && 'drag-over',
          refused && 'bad-tone',
        ]
          .filter(Boolean)
          .join(' ')}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {refused ? (
          <span className="file-tile">
            <Icon name="image" />
          </span>
        ) : (
          <img src={imageSource(shown).src} alt={ownerTexts.imagePreview} width="104" height="72" />
        )}
        <p id={`${id}-about`}>
          <b>{refused ? ownerTexts.otherImage : choiceOf(hasOne)}</b> {ownerTexts.orDrop}
          <span>{file ? `${file.name} · ${sizeOf(file)}` : ownerTexts.endings}</span>
        </p>
        <input
          ref={input}
          id={id}
          type="file"
          accept={imageEndings.join(',')}
          {...describedBy(id, { error })}
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.files?.[0]
            currentTarget.value = '' // the same file may be chosen again after it was corrected
            if (chosen) onPick(chosen)
          }}
        />
      </div>
      {progress === undefined ? null : <Progress share={progress} />}
      {error === undefined ? null : (
        <p className="field-error" id={`${id}-error`} role="alert">
          <Icon name="warn" />
          {error}
        </p>
      )}
      {framing && !refused && <FramingSlider id={id} {...framing} />}
      {(refused || hasOne) && (
        <div className="img-tools">
          <Button
            tone="quiet"
            small
            icon={refused ? 'x' : 'trash'}
            onClick={() => {
              // The pressed button is removed with the picture.
              input.current?.focus()
              if (refused) onWithout()
              else onRemove()
            }}
          >
            {refused ? ownerTexts.withoutImage : ownerTexts.removeImage}
          </Button>
        </div>
      )}
    </div>
  )
}

const choiceOf = (hasOne: boolean) => (hasOne ? ownerTexts.changeImage : ownerTexts.chooseImage)

function FramingSlider({
  id,
  at,
  onChange,
}: { readonly id: string } & NonNullable<EntryFormState['framing']>) {
  return (
    <div className="framing">
      <label htmlFor={`${id}-framing`}>{ownerTexts.framing}</label>
      <input
        id={`${id}-framing`}
        type="range"
        min="0"
        max="1"
        step="0.1"
        value={at}
        aria-describedby={`${id}-framing-hint`}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
      <p className="hint" id={`${id}-framing-hint`}>
        {ownerTexts.framingHint}
      </p>
    </div>
  )
}

function Progress({ share }: { readonly share: number }) {
  const text = fill(ownerTexts.uploading, { n: Math.round(share * 100) })
  return (
    <div className="uploading">
      <progress value={share} aria-label={text} />
      <span aria-hidden="true">{text}</span>
    </div>
  )
}

function sizeOf({ size }: File): string {
  return size < 1024 * 1024
    ? inUnits(Math.ceil(size / 1024), 'KB')
    : inUnits(size / 1024 / 1024, 'MB')
}

function inUnits(value: number, unit: string): string {
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value)} ${unit}`
}
