import { Link } from '@tanstack/react-router'
import { texts } from '#contract/texts.ts'
import { useSession } from '#client/data/session.ts'
import { later } from '../later.tsx'
import { placesOf } from './navigation.ts'
import { ThemeToggle } from './theme-toggle.tsx'
import type { SettingValues } from '#contract/settings.ts'

// Only a signed-in browser ever asks for this code.
const OwnerTools = later(async () => (await import('./owner-tools.tsx')).OwnerTools)

interface HeaderProps {
  readonly name: string
  readonly settings: SettingValues
}

/** The bar on top of every page: the owner's name, the navigation, the theme and, signed in, the owner's tools. */
export function Header({ name, settings }: HeaderProps) {
  const { token } = useSession()
  return (
    <header className="site-top">
      <div>
        <Link className="brand" to="/">
          <img src="/icon.svg" alt="" width="34" height="34" fetchPriority="low" />
          <span>{name}</span>
        </Link>
        <nav className="nav" aria-label={texts.navigation}>
          <ul>
            {placesOf(settings).map(({ path, label }) => (
              <li key={path}>
                <Link to={path} activeOptions={{ exact: true }}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="tools">
          {token !== undefined && <OwnerTools />}
          <ThemeToggle />
        </div>
      </div>
    </header>
  )
}
