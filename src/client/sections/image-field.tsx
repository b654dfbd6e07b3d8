import { useState, type DragEvent } from 'react'
import { imageSource } from '#contract/image.ts'
import { imageEndings } from '#contract/limits.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { describedBy } from '#client/ui/field.tsx'
import { Icon } from '#client/ui/icon.tsx'

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
  readonly onPick: (file: File) => void
}

/** A picture of a form: the real file input covers the drop area, so that click, keyboard and drop all reach it. */
export function ImageField(props: ImageFieldProps) {
  const { id, label, shown, hasStored, isLogo, picture, progress, error, onPick } = props
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file === undefined) return
    event.preventDefault()
    onPick(file)
  }
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div
        className={['drop', isLogo && 'logo', isOver && 'drag-over'].filter(Boolean).join(' ')}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <img src={imageSource(shown).src} alt={ownerTexts.imagePreview} width="104" height="72" />
        <p id={`${id}-about`}>
          <b>{picture || hasStored ? ownerTexts.changeImage : ownerTexts.chooseImage}</b>{' '}
          {ownerTexts.orDrop}
          <span>{picture ? `${picture.name} · ${sizeOf(picture)}` : ownerTexts.endings}</span>
        </p>
        <input
          id={id}
          type="file"
          accept={imageEndings.join(',')}
          {...describedBy(id, { error })}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            currentTarget.value = '' // the same file may be chosen again after it was corrected
            if (file) onPick(file)
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
  return `${new Intl.NumberFormat('es', { maximumFractionDigits: 1 }).format(value)} ${unit}`
}
