import { Link, useLocation } from '@tanstack/react-router'
import { pageAt } from '#contract/pages.ts'
import { texts } from '#contract/texts/site.ts'
import { Icon } from '#client/ui/icon.tsx'
import { moreSheetId } from './more-sheet.tsx'
import type { Place } from './navigation.ts'

interface TabBarProps {
  readonly places: readonly Place[]
  readonly behindMore: readonly Place[]
}

export function TabBar({ places, behindMore }: TabBarProps) {
  const here = pageAt(useLocation().pathname)
  // Beside forms, which have no tabs, only pages of the owner's are of a kind.
  const isBehindMore = here?.kind ?? behindMore.some((place) => place === here)
  return (
    <nav className="tabs" aria-label={texts.navigation}>
      <ul>
        {places.map(({ path, title, icon }) => (
          <li key={path}>
            <Link to={path} activeOptions={{ exact: path === '/' }}>
              <Icon name={icon} />
              {title}
            </Link>
          </li>
        ))}
        <li>
          <button
            type="button"
            aria-haspopup="dialog"
            aria-current={isBehindMore ? true : undefined}
            popoverTarget={moreSheetId}
          >
            <Icon name="more" />
            {texts.more}
          </button>
        </li>
      </ul>
    </nav>
  )
}
