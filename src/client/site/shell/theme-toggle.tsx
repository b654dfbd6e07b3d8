import { texts } from '#contract/texts/site.ts'
import { Icon } from '#client/ui/icon.tsx'

// Which half of each pair is seen follows from the theme by CSS alone, so both are right before any code runs.

/** Switches the theme, showing the one it leads to; the page's boot script listens for its presses. */
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

/** The same switch as a line of a menu, showing the current theme. */
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
