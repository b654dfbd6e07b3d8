import type { LinkedInFile } from '#contract/resume/linkedin.ts'
import { fill } from '#contract/text.ts'
import { importTexts } from '#contract/texts/import.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { sizeText, type Found, type Progress } from './read-file.ts'

interface ReadingBoxProps {
  readonly file: Pick<File, 'name' | 'size'>
  readonly progress: Progress | undefined
  readonly onCancel: () => void
}

/** A file that is being read, part by part. */
export function ReadingBox({ file, progress, onCancel }: ReadingBoxProps) {
  const { part, counts = {}, files } = progress ?? {}
  const names = Object.keys(importTexts.parts) as LinkedInFile[]
  const done = part ? names.indexOf(part) : 0
  return (
    <section className="card reading-box" aria-label={importTexts.readingLabel}>
      <div className="top">
        <Icon name="file" />
        <div>
          <b>{file.name}</b>
          <small>{factsOf(file.size, files)}</small>
        </div>
        <Button tone="quiet" small onClick={onCancel}>
          {importTexts.cancel}
        </Button>
      </div>
      <progress aria-label={importTexts.readingLabel} max={names.length} value={done} />
      <p className="hint2" role="status">
        {fill(importTexts.reading, { name: part ? importTexts.parts[part] : file.name })}
      </p>
      {part ? (
        <ul>
          {names.map((name) => (
            <li key={name} className={name === part ? 'now' : name in counts ? '' : 'next'}>
              <Icon name={name in counts ? 'check' : name === part ? 'sync' : 'clock'} />
              {importTexts.parts[name]}
              <span className="mono">
                {counts[name] ?? (name === part ? importTexts.counting : null)}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}

/** The size of a file, and how many are in it. */
function factsOf(bytes: number, n: number | undefined): string {
  const size = sizeText(bytes)
  if (n === undefined) return size
  return fill(n === 1 ? importTexts.fileFactsOne : importTexts.fileFacts, { size, n })
}

interface PartialProps {
  readonly found: Found
  readonly n: number
  readonly onGo: () => void
  readonly onCancel: () => void
}

/** A file of which some parts are damaged: to go on with the others, or not. */
export function Partial({ found: { damaged, files }, n, onGo, onCancel }: PartialProps) {
  const bad = damaged.length
  const title = fill(bad === 1 ? importTexts.damagedOne : importTexts.damaged, { n: files, bad })
  const others = fill(n === 1 ? importTexts.othersOne : importTexts.others, { n })
  const hint = bad === 1 ? importTexts.damagedHint : importTexts.damagedHintMany
  return (
    <div className="result">
      <div className="alert pencil-tone" role="alert">
        <Icon name="warn" />
        <div>
          <b>{title}</b>
          <p>{fill(hint, { names: damaged.join(', '), others })}</p>
          <div className="actions">
            <Button small onClick={onGo}>
              {importTexts.goOn}
            </Button>
            <Button tone="quiet" small onClick={onCancel}>
              {importTexts.cancel}
            </Button>
          </div>
        </div>
      </div>
    </div>
  )
}
