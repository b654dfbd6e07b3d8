import { texts } from '#contract/texts.ts'
import { Icon } from '#client/ui/icon.tsx'

// Which half of each pair is seen follows from the theme by CSS alone, so the button is right before any code runs.
const icons = (
  <>
    <Icon name="sun" className="for-dark" />
    <Icon name="moon" className="for-light" />
  </>
)

/** Switches the theme; the page's boot script listens for its presses. */
export function ThemeToggle() {
  return (
    <button type="button" className="icon-btn" data-theme-toggle>
      {icons}
      <span className="sr-only for-dark">{texts.toLight}</span>
      <span className="sr-only for-light">{texts.toDark}</span>
    </button>
  )
}

/** The same switch as a line of a menu, with the current theme's name at its end. */
export function ThemeLine() {
  return (
    <button type="button" data-theme-toggle>
      {icons}
      {texts.theme}
      <small className="for-dark">{texts.themeDark}</small>
      <small className="for-light">{texts.themeLight}</small>
    </button>
  )
}
