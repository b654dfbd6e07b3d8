/*
 * What pages and server say to each other about backups.
 */

/** Why one was made; `week` is a night's that stays longer. */
type BackupReason = 'night' | 'week' | 'update' | 'hand'
/** Why one could not be made, as far as the owner can act on it. */
export type BackupFault = 'full' | 'unreadable' | 'other'

/** A file of the list. It is checked again now and then: until then nobody knows what the disk has made of it. */
export interface ListedBackup {
  readonly name: string
  /** ISO-8601 UTC. */
  readonly madeAt: string
  readonly reason: BackupReason
  readonly bytes: number
  readonly state: 'checking' | 'whole' | 'damaged'
  /** How many pictures it has not as they were stored: those files were lost or damaged on the server before. */
  readonly lacking: number
  /** Whether it cannot be deleted: no other one is known to be as good. */
  readonly isNeeded: boolean
}

export type BackupTrouble =
  /** The server's disk: nothing is stored until so many bytes were freed. */
  | { readonly is: 'full'; readonly toFree: number }
  | {
      readonly is: 'failed'
      readonly at: string
      readonly reason: BackupReason
      readonly why: BackupFault
    }
  /** The newest one is. */
  | { readonly is: 'damaged' }
  /** The newest one lacks pictures. */
  | { readonly is: 'incomplete'; readonly lacking: number }
  /** There is none of the last days. */
  | { readonly is: 'overdue' }
  /** One says that it was made at a moment that is yet to come. */
  | { readonly is: 'ahead'; readonly at: string }
  /** The server cannot read their folder: nobody knows whether there are any. */
  | { readonly is: 'unread' }

/** Whether the owner has to look after her backups. */
export interface BackupStatus {
  readonly trouble: BackupTrouble | null
  /** When the newest was made that is not damaged and lacks nothing. */
  readonly lastGood: string | null
}

export interface BackupList {
  /** Newest first. */
  readonly backups: readonly ListedBackup[]
  readonly status: BackupStatus
}

/** Where a file may be fetched for some minutes, without a session: browsers load large files only from addresses. */
export interface BackupLink {
  /** Below the API's base. */
  readonly path: string
}
