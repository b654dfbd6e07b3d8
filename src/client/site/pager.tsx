import { Link } from '@tanstack/react-router'
import { pathOfPage } from '#contract/entries/list-pages.ts'
import type { Section } from '#contract/sections/section.ts'
import { texts } from '#contract/texts/site.ts'

interface PagerProps {
  readonly section: Section
  readonly page: number
  readonly pages: number
}

/** The ways to the other pages of a list: to those beside it, to the first and to the last. */
export function Pager({ section, page, pages }: PagerProps) {
  if (pages === 1) return null
  const link = (to: number, label: string | number = to) => (
    <Link to={pathOfPage(section, to)} activeOptions={{ exact: true }}>
      {label}
    </Link>
  )
  return (
    <nav className="pager" aria-label={texts.pages}>
      {page > 1 && link(page - 1, texts.previous)}
      <ol>
        {[...new Set([1, page, pages])].map((number) => (
          <li key={number}>{link(number)}</li>
        ))}
      </ol>
      {page < pages && link(page + 1, texts.next)}
    </nav>
  )
}
