import { Link } from '@tanstack/react-router'
import type { Tray } from '#contract/messages.ts'
import { inboxTexts } from '#contract/texts-inbox.ts'
import { Icon } from '#client/ui/icon.tsx'
import { searchOf } from './message-list.tsx'

/** The way to the other tray. */
export function TraySwitch({ tray }: { readonly tray: Tray }) {
  const isSpam = tray === 'spam'
  return (
    <p className="inbox-foot">
      <Link className="ext-link" to="/inbox" search={searchOf(isSpam ? 'inbox' : 'spam')}>
        <Icon name={isSpam ? 'back' : 'shield'} />
        {isSpam ? inboxTexts.seeInbox : inboxTexts.seeSpam}
      </Link>
    </p>
  )
}
