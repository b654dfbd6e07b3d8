import type { Section } from '#contract/sections/section.ts'
import { texts } from '#contract/texts/site.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { ListFrame } from './entry-list.tsx'

/** Has the list's own geometry and is hidden from screen readers. */
export function ListSkeleton({ section }: { readonly section: Section }) {
  const { display } = section
  const count = display.kind === 'icon' ? 8 : 3
  return (
    <div className="waiting" aria-hidden="true">
      <ListFrame section={section}>
        {Array.from({ length: count }, (_, index) => (
          <li key={index}>
            {display.kind === 'icon' ? <TileSkeleton /> : <CardSkeleton layout={display.layout} />}
          </li>
        ))}
      </ListFrame>
    </div>
  )
}

function TileSkeleton() {
  return (
    <div className="card tile">
      <span className="plate skeleton" />
      <span className="skeleton line short" />
    </div>
  )
}

function CardSkeleton({ layout }: { readonly layout: 'grid' | 'timeline' }) {
  const lines = (
    <>
      <div className="skeleton line head" />
      <div className="skeleton line" />
      <div className="skeleton line long" />
      <div className="card-end">
        <div className="skeleton line short" />
      </div>
    </>
  )
  if (layout === 'timeline') {
    return (
      <>
        <span className="plate skeleton" />
        <div className="card">{lines}</div>
      </>
    )
  }
  return (
    <div className="card grid-card">
      <figure className="skeleton" />
      <div className="body">{lines}</div>
    </div>
  )
}

export function EmptyList({ section: { words, icon } }: { readonly section: Section }) {
  return (
    <div className="empty">
      <span className="bubble">
        <Icon name={icon} />
      </span>
      <h2>{words.empty}</h2>
      <p>{words.emptyHint}</p>
    </div>
  )
}

/** Shown only where no copy of the list is at hand. */
export function LoadFailed({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div className="empty bad-tone" role="alert">
      <span className="bubble">
        <Icon name="warn" />
      </span>
      <h2>{texts.loadFailed}</h2>
      <p>{texts.loadFailedHint}</p>
      <Button tone="ghost" icon="sync" onClick={onRetry}>
        {texts.retry}
      </Button>
    </div>
  )
}
