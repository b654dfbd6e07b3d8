import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { safeHref } from '#contract/link.ts'
import { placeWords, type DeadLink } from '#contract/links.ts'
import type { Section } from '#contract/sections/section.ts'
import { linkTexts } from '#contract/texts/links.ts'
import { otherPlaces } from '#contract/texts/setting-words.ts'
import { fill } from '#contract/text.ts'
import type { ShownEntry } from '#client/data/overlay.ts'
import { useKeptRoom } from '#client/owner/calls/use-kept-room.ts'
import { deadIn, linksQuery } from '#client/owner/settings/links.ts'
import { deadTitle } from '#client/owner/settings/link-words.ts'
import { Alert } from '#client/ui/alert.tsx'
import { buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { useWholeList } from './whole-list.ts'

interface DeadLinkBadgeProps {
  readonly section: Section
  readonly entry: ShownEntry
}

/** Opens the entry's form; the owner also sees the links themselves struck through. */
export function DeadLinkBadge({ section, entry }: DeadLinkBadgeProps) {
  const badge = useRef<HTMLAnchorElement>(null)
  const dead = deadIn(useQuery(linksQuery).data, section, [entry])
  // An address has no spaces.
  const addresses = dead.map(({ link }) => safeHref(link)).join(' ')
  useEffect(() => {
    // The card is the visitors' own, so the mark is added to its links only on her page, while this badge stands.
    const links = badge.current?.closest('.item')?.querySelectorAll('a.ext-link') ?? []
    const gone = addresses.split(' ')
    const meant = [...links].filter((link) => gone.includes(link.getAttribute('href') ?? ''))
    for (const link of meant) link.classList.add('is-dead')
    return () => {
      for (const link of meant) link.classList.remove('is-dead')
    }
  }, [addresses])
  const place = dead[0]?.places.find((one) => 'section' in one && one.id === entry.id)
  if (!place) return null
  return (
    <Link
      ref={badge}
      className="badge chip bad-tone"
      to={section.editPath}
      params={{ id: entry.id }}
      aria-label={fill(linkTexts.badgeOf, { place: placeWords(place) })}
    >
      <Icon name="unlink" />
      {linkTexts.badge}
    </Link>
  )
}

/** Has its room before it is known whether it is needed, since the list stands under it. */
export function DeadLinkAlert({ section }: { readonly section: Section }) {
  const { data: status } = useQuery(linksQuery)
  const { entries, isRead } = useWholeList(section)
  const room = useKeptRoom({ name: `dead-${section.key}`, isRead: isRead && status !== undefined })
  return (
    <div {...room}>
      <DeadLinks dead={deadIn(status, section, entries)} />
    </div>
  )
}

function DeadLinks({ dead }: { readonly dead: readonly DeadLink[] }) {
  if (dead.length === 0) return null
  const places = dead.flatMap((link) => link.places.slice(0, 1)).map(placeWords)
  const shown = dead.length === 1 ? linkTexts.stillShown : linkTexts.stillShownMany
  return (
    <Alert
      isWide
      tone="pencil"
      icon="unlink"
      title={deadTitle(dead)}
      words={`${places.join(', ')}. ${shown}`}
    >
      <Link
        className={buttonClass({ tone: 'quiet', small: true })}
        to="/settings"
        hash={otherPlaces.data}
      >
        {linkTexts.see}
      </Link>
    </Alert>
  )
}
