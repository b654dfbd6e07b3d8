import { Link, useLocation } from '@tanstack/react-router'
import { headerId, pageAt } from '#contract/pages.ts'
import { lengthOf } from '#contract/text.ts'
import { texts } from '#contract/texts/site.ts'
import { isSomebody, useSession } from '#client/data/session.ts'
import { Icon } from '#client/ui/icon.tsx'
import { lazyInBrowser } from '#client/site/lazy-in-browser.tsx'
import { placesOf } from './navigation.ts'
import { ThemeToggle } from './theme-toggle.tsx'
import type { SettingValues } from '#contract/settings/settings.ts'

// Only a signed-in browser ever asks for this code.
const OwnerTools = lazyInBrowser(() =>
  import('#client/owner/shell/owner-tools.tsx').then((file) => file.OwnerTools),
)

/** The name is set smaller from so many letters. */
const longNameFrom = 25

interface HeaderProps {
  readonly name: string
  readonly settings: SettingValues
}

export function Header({ name, settings }: HeaderProps) {
  const isIn = isSomebody(useSession())
  const here = pageAt(useLocation().pathname)
  const links = (
    <ul>
      {placesOf(settings).map(({ path, title }) => (
        <li key={path}>
          <Link
            to={path}
            activeOptions={{ exact: path === '/' }}
            aria-current={here?.backPath === path ? 'page' : undefined}
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  )
  return (
    <header id={headerId} className="site-top">
      <div>
        <Link
          className={lengthOf(name) < longNameFrom ? 'brand' : 'brand long'}
          to="/"
          title={name}
        >
          <img src="/icon.svg" alt="" width="34" height="34" fetchPriority="low" />
          <span>{name}</span>
        </Link>
        <nav className="nav" aria-label={texts.navigation}>
          {links}
          {/* Of the two lists each link is seen in one: the stylesheet sees how many fit. */}
          <details className="nav-more">
            <summary>
              {texts.more}
              <Icon name="next" />
            </summary>
            {links}
          </details>
        </nav>
        <div className="tools">
          {isIn && <OwnerTools />}
          <ThemeToggle />
        </div>
      </div>
    </header>
  )
}
