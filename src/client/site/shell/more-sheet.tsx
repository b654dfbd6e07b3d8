import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { texts } from '#contract/texts/site.ts'
import { isSomebody, useSession } from '#client/data/session.ts'
import { Icon } from '#client/ui/icon.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { lazyInBrowser } from '#client/site/lazy-in-browser.tsx'
import type { Place } from './navigation.ts'
import { ThemeLine } from './theme-toggle.tsx'

const InstallLine = lazyInBrowser(() =>
  import('#client/offline/offline-parts.tsx').then((file) => file.InstallLine),
)
// Only a signed-in browser ever asks for this code.
const OwnerLines = lazyInBrowser(() =>
  import('#client/owner/shell/owner-tools.tsx').then((file) => file.OwnerLines),
)

export const moreSheetId = 'mas'

interface MoreSheetProps {
  readonly places: readonly Place[]
}

/** The browser opens and closes it, with or without JavaScript. */
export function MoreSheet({ places }: MoreSheetProps) {
  const sheet = useRef<HTMLDialogElement>(null)
  const isIn = isSomebody(useSession())
  const close = () => sheet.current?.hidePopover()
  const titleId = `${moreSheetId}-titulo`
  return (
    <dialog
      ref={sheet}
      id={moreSheetId}
      popover="auto"
      className="sheet side menu"
      aria-labelledby={titleId}
    >
      <div className="sheet-head">
        <h2 id={titleId}>{texts.more}</h2>
        <IconButton
          icon="x"
          label={texts.close}
          popoverTarget={moreSheetId}
          popoverTargetAction="hide"
        />
      </div>
      <div className="body">
        <nav aria-label={texts.more}>
          {places.map(({ path, title, icon }) => (
            // A press outside closes the sheet by itself; a press on a link does not.
            <Link key={path} to={path} onClick={close}>
              <Icon name={icon} />
              {title}
            </Link>
          ))}
        </nav>
        <hr />
        <ThemeLine />
        <InstallLine onChoose={close} />
        {isIn && <OwnerLines />}
      </div>
    </dialog>
  )
}
