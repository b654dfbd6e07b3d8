import { texts } from '#contract/texts/site.ts'
import { Icon } from '#client/ui/icon.tsx'

// CSS alone chooses which half of each pair is seen, so both are right before any code runs.

/** The page's boot script listens for its presses. */
export function ThemeToggle() {
  return (
    <button type="button" className="icon-btn" data-theme-toggle>
      <Icon name="sun" className="for-dark" />
      <Icon name="moon" className="for-light" />
      <span className="sr-only for-dark">{texts.toLight}</span>
      <span className="sr-only for-light">{texts.toDark}</span>
    </button>
  )
}

export function ThemeLine() {
  return (
    <button type="button" data-theme-toggle>
      <Icon name="moon" className="for-dark" />
      <Icon name="sun" className="for-light" />
      {texts.theme}
      <small className="for-dark">{texts.themeDark}</small>
      <small className="for-light">{texts.themeLight}</small>
    </button>
  )
}
