import { safeHref } from '#contract/link.ts'
import {
  titleColors,
  typedTitleQuery,
  typedTitleSize,
  typedTitleUrl,
  type TitleVariant,
} from '#contract/typed-title.ts'

interface TypedTitleProps {
  readonly title: string
  /** Another service that draws the title from the same query; empty: this site draws it. */
  readonly service: string
}

/** The title being typed: one drawing a theme, of which only the current theme's is fetched; nothing without a title. */
export function TypedTitle({ title, service }: TypedTitleProps) {
  if (title === '') return null
  return (
    <span className="typed-title">
      <TitlePicture title={title} service={service} theme="dark" />
      <TitlePicture title={title} service={service} theme="light" />
    </span>
  )
}

function TitlePicture({ title, service, theme }: TypedTitleProps & { theme: 'dark' | 'light' }) {
  const base = safeHref(service)
  const urlOf = (variant: TitleVariant) =>
    base
      ? `${base}?${typedTitleQuery(title, titleColors[theme], variant)}`
      : typedTitleUrl(title, titleColors[theme], variant)
  const narrow = typedTitleSize(title, 'narrow')
  return (
    <picture className={`for-${theme}`}>
      <source media="(width < 40rem)" srcSet={urlOf('narrow')} {...narrow} />
      {/* Lazy, because browsers fetch hidden pictures that are not. */}
      <img loading="lazy" src={urlOf('wide')} alt={title} {...typedTitleSize(title, 'wide')} />
    </picture>
  )
}
