import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { copiesTexts } from '#contract/texts/copies.ts'
import { otherPlaces } from '#contract/texts/setting-words.ts'
import { backupStatusQuery } from './backups.ts'
import { Icon } from '#client/ui/icon.tsx'
import { useNow } from '#client/ui/use-now.ts'
import { goodWords, troubleTitle } from './backup-words.ts'

interface BackupBandProps {
  /** Shown when the backups are well. */
  readonly children: ReactNode
}

export function BackupBand({ children }: BackupBandProps) {
  const { data: status } = useQuery(backupStatusQuery)
  const now = useNow()
  if (!status?.trouble) return children
  return (
    <div className="net-band bad-tone">
      <Icon name="warn" />
      <p>
        {troubleTitle(status.trouble, status, now)}. {goodWords(status, now)}
      </p>
      <Link to="/settings" hash={otherPlaces.data}>
        {copiesTexts.see}
      </Link>
    </div>
  )
}
