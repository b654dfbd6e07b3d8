import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { UnfitRows } from '../db/fill.ts'
import type { Manifest } from './manifest.ts'
import { openBackup, UnusableBackup, verifyBackup } from './read-backup.ts'
import { restoreFile } from './restore-file.ts'
import { restoreServer } from './restore-server.ts'
import type { Aside, RestoreTo } from './restored-content.ts'

interface Restored extends Aside {
  readonly manifest: Manifest
}

/**
 * Puts a site back as a backup has it, on either database. The whole file is checked first; what was there before is
 * put aside and nothing of it is lost. Throws, and leaves everything as it is, when the backup is not whole or the site is being served.
 */
export async function restoreBackup(file: string, to: RestoreTo): Promise<Restored> {
  const manifest = await verifyBackup(file)
  const backup = await openBackup(file)
  try {
    const { database } = to
    const aside =
      database.engine === 'sqlite'
        ? await restoreFile(backup, { ...to, file: database.file })
        : await restoreServer(backup, { ...to, url: database.url })
    return { manifest, ...aside }
  } catch (error) {
    if (!(error instanceof UnfitRows)) throw error
    const why = fill(backupTexts.faults.unfit, { name: error.table })
    throw new UnusableBackup(file, why, error)
  } finally {
    backup.close()
  }
}
