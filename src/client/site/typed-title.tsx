import { safeHref } from '#contract/link.ts'
import type { SettingValues } from '#contract/settings/settings.ts'
import {
  narrowTitles,
  typedTitlePath,
  typedTitleQuery,
  typedTitleSize,
  type TitleVariant,
} from '#contract/typed-title.ts'

interface TypedTitleProps {
  readonly title: string
  /**
   * The settings hold the colours and another service that draws the title from the same query; empty: this site draws
   * it.
   */
  readonly settings: SettingValues
}

/** One drawing for each theme, of which the browser fetches only the current one. */
export function TypedTitle({ title, settings }: TypedTitleProps) {
  if (title === '') return null
  return (
    <span className="typed-title">
      <TitlePicture title={title} settings={settings} theme="dark" />
      <TitlePicture title={title} settings={settings} theme="light" />
    </span>
  )
}

function TitlePicture({ title, settings, theme }: TypedTitleProps & { theme: 'dark' | 'light' }) {
  const base = safeHref(settings.typing_image_url)
  const color = settings[`typing_color_${theme}`]
  const urlOf = (variant: TitleVariant) =>
    `${base ?? typedTitlePath}?${typedTitleQuery(title, color, variant)}`
  const narrow = typedTitleSize(title, 'narrow')
  return (
    <picture className={`for-${theme}`}>
      <source media={narrowTitles} srcSet={urlOf('narrow')} {...narrow} />
      {/* Lazy, because browsers fetch hidden pictures that are not. */}
      <img loading="lazy" src={urlOf('wide')} alt={title} {...typedTitleSize(title, 'wide')} />
    </picture>
  )
}
