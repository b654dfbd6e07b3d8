import { importTexts } from '#contract/texts/import.ts'
import { Icon } from '#client/ui/icon.tsx'

interface DropZoneProps {
  /** Whether the site is there to compare with. */
  readonly isReady: boolean
  /** Whether a file is over the page, which takes it wherever it is let go. */
  readonly isOver: boolean
  readonly onFile: (file: File) => void
}

/** One place for every kind of file: dropped on it, or chosen. */
export function DropZone({ isReady, isOver, onFile }: DropZoneProps) {
  return (
    <div className={isOver ? 'bigdrop drag-over' : 'bigdrop'} aria-busy={!isReady}>
      <span className="bubble">
        <Icon name="upload" />
      </span>
      <h2>{importTexts.drop}</h2>
      <p>{importTexts.dropHint}</p>
      <span className="btn" aria-hidden="true">
        {importTexts.choose}
      </span>
      <input
        type="file"
        accept=".zip,.json,.pdf"
        aria-label={importTexts.chooseLabel}
        disabled={!isReady}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) onFile(file)
        }}
      />
    </div>
  )
}

const kinds = [
  { icon: 'linkedin', title: importTexts.linkedIn, hint: importTexts.linkedInHint },
  { icon: 'file', title: importTexts.resume, hint: importTexts.resumeHint },
  { icon: 'user', title: importTexts.own, hint: importTexts.ownHint },
] as const

/** Where such files come from. */
export function Sources() {
  return (
    <div className="trio">
      {kinds.map(({ icon, title, hint }) => (
        <section key={title} className="card">
          <Icon name={icon} />
          <h2 className="h">{title}</h2>
          <p>{hint}</p>
        </section>
      ))}
    </div>
  )
}
