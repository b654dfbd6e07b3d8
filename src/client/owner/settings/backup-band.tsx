import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { copiesTexts } from '#contract/texts/copies.ts'
import { backupStatusQuery } from './backups.ts'
import { Icon } from '#client/ui/icon.tsx'
import { useNow } from '#client/ui/use-now.ts'
import { goodWords, troubleTitle } from './backup-words.ts'
import { nowEveryMs } from '#client/owner/inbox/message-words.ts'

interface BackupBandProps {
  /** What there is to say when the backups are well. */
  readonly children: ReactNode
}

/** Says on the owner's pages that she has to look after her backups, and leads to them. */
export function BackupBand({ children }: BackupBandProps) {
  const { data: standing } = useQuery(backupStatusQuery)
  const now = useNow(nowEveryMs)
  if (!standing?.trouble) return children
  return (
    <div className="net-band bad-tone">
      <Icon name="warn" />
      <p>
        {troubleTitle(standing.trouble, standing, now)}. {goodWords(standing, now)}
      </p>
      <Link to="/settings" hash="datos">
        {copiesTexts.see}
      </Link>
    </div>
  )
}
