import type { PushKind } from '#contract/notifications/push.ts'
import type { Generated, Insertable, Kysely, Selectable, Transaction } from 'kysely'

/*
 * The rows of both databases, SQLite and PostgreSQL. So that they are identical on both: truth is 0 or 1, moments are
 * ISO-8601 UTC text, JSON is text, and only `throttle.since` counts milliseconds.
 */

/** A section's own table; its text columns are the section's fields. */
export interface EntryRow {
  id: string
  /** Grows with every entry; the list is in this order. */
  position: number
  version: number
  [field: string]: string | number
}

export interface Tables {
  person: PersonRow
  setting: { key: string; value: string }
  /** Facts about the site itself, such as whether its content is still the sample. */
  site: { key: string; value: string }
  /** When and on which device a thing was changed last; the device is empty where it is not known. */
  last_change: { kind: string; id: string; changed_at: string; device: string }
  /** What the owner deleted lately, as it was. */
  bin: {
    kind: string
    id: string
    position: number
    version: number
    /** The section's fields as JSON. */
    fields: string
    removed_at: string
  }
  /** What an entry or the profile said before. */
  earlier_version: {
    kind: string
    id: string
    /** Counts the versions of one thing; the highest was replaced last. */
    number: number
    /** As JSON. */
    fields: string
    /** The picture among the fields, empty where there is none: as long as it is named here its file stays. */
    picture: string
    /** When it came to be so, null where nobody wrote it down; the device is empty where it is not known. */
    made_at: string | null
    device: string
    replaced_at: string
  }
  /** One counter per kind of content, raised in the transaction of every change. */
  revision: { kind: string; rev: number }
  owner: {
    id: string
    user_name: string
    password: string
    created_at: string
    password_changed_at: Generated<string | null>
  }
  session: {
    token_hash: string
    owner_id: string
    role: string
    created_at: string
    seen_at: string
    /** What it has in common with the other tabs of its device. */
    sign_in_id: Generated<string>
    /** What the session's revocation hashes to; empty for sessions older than that. */
    revocation_hash: Generated<string>
  }
  /** One signing in on one device, with every session that came of it. */
  sign_in: {
    id: string
    owner_id: string
    /** Browser and system, in words for the owner's list. */
    label: string
    created_at: string
    seen_at: string
    /** The hash of the secret that renews the session on a device where it is kept. */
    kept_hash: string | null
    /** The hash of the secret before it. */
    spent_hash: string | null
    /** When the one was first exchanged for the other, and which session that gave. */
    renewed_at: string | null
    renewed_token_hash: string | null
    /** 1 once somebody has used that session. */
    renewal_used: Generated<number>
    /** The same three of the exchanges before, oldest first, for as long as they may be repeated; as JSON. */
    earlier_renewals: Generated<string>
  }
  /** What the owner signs in with beside her password. */
  passkey: {
    id: string
    owner_id: string
    /** The authenticator's name for it, in base64url, as the key is. */
    credential_id: string
    public_key: string
    /** How often it was used, where the authenticator counts. */
    counter: number
    /** How the authenticator is reached, as JSON. */
    transports: string
    /** The site it was made for. */
    rp_id: string
    name: string
    created_at: string
    used_at: string | null
  }
  /** Parts of imported résumés that the site has no place for, as JSON. */
  kept_resume: { id: string; said: string; made_at: string }
  /** What passkeys have signed, until its time is over. */
  spent_challenge: { challenge_hash: string; made_at: string }
  /** What this site signs with; in no backup. */
  secret: { name: string; value: string }
  one_time_link: {
    token_hash: string
    /** A download's names the sign-in that it ends with. */
    purpose: 'setup' | 'reset' | `download:${string}`
    created_at: string
    expires_at: string
  }
  throttle: { key: string; n: number; since: number }
  idempotency_key: {
    scope: string
    key: string
    fingerprint: string
    status: number | null
    headers: string | null
    body: string | null
    created_at: string
  }
  contact_message: {
    id: string
    name: string
    email: string
    message: string
    received_at: string
    /** 0 for the inbox, 1 for the spam folder. */
    spam: number
    /** Why it went to the spam folder, for the owner to read; empty in the inbox. */
    spam_reason: string
    read_at: string | null
    /** When the owner marked it as answered. */
    answered_at: Generated<string | null>
    /** 1 once the owner's devices were told of it, or need not be. */
    rung: Generated<number>
    /** The hash of what it says, to know the same text again; empty for messages older than that. */
    digest: Generated<string>
    /** The revision of messages that it raised, which grows however the clock goes; 0 for messages older than that. */
    arrival: Generated<number>
  }
  device: {
    id: string
    kind: PushKind
    /** What makes two addresses the same: the endpoint or the installation. */
    address_key: string
    /** A `PushAddress` as JSON. */
    address: string
    label: string
    /** The sign-in that put it here last: it goes when that one is ended from elsewhere. */
    sign_in_id: string
    created_at: string
    last_sent_at: string | null
    trouble: string
  }
  /** Addresses the owner took off her list, which only she puts back. */
  removed_device: {
    /** SHA-256 of the address's key, in base64url. */
    address_hash: string
    removed_at: string
  }
  /** Work that outlives its call: kept until done, or dead and kept for the owner to see. */
  job: {
    id: string
    kind: 'ring' | 'push' | 'links' | 'mail'
    /** At most one job has the same text here. */
    dedupe: string | null
    device_id: string | null
    payload: string
    state: 'pending' | 'dead'
    /** How often it has failed. */
    attempts: number
    due_at: string
    /** Until then somebody is at it. */
    lease_until: string | null
    /** Why it failed the last time, in words. */
    why: string
    created_at: string
  }
  /** What the last looks at a public link found. */
  link_look: {
    /** SHA-256 of its address, in base64url. */
    link_hash: string
    looked_at: string
    next_at: string
    /** How many looks in a row found nothing there. */
    failures: number
    failed_since: string | null
    /** 1 once a device of the owner's took the notification; before, less by one each time that they were told. */
    told: number
  }
  image: {
    hash: string
    /** The file name of the full picture; smaller widths follow from it. */
    file: string
    bytes: number
    created_at: string
    /** Since when no row refers to it. */
    orphan_since: string | null
    /** The SHA-256 of each of its files, in the order of `filesOf` and with blanks between; empty until they are noted. */
    digests: Generated<string>
  }
  /** The specification's storage names, each pointing at a picture. */
  image_alias: { name: string; hash: string }
}

interface PersonRow {
  id: number
  name: string
  lastname: string
  title: string
  description: string
  image: string
  /** What the picture says to whoever does not see it. */
  alt: Generated<string>
  version: number
}

/** A database of either engine. */
export type Db = Kysely<Tables>
/** A database or an open transaction on it: whatever a query can run on. */
export type Executor = Db | Transaction<Tables>
export type TableRow<Name extends keyof Tables> = Selectable<Tables[Name]>
export type NewRow<Name extends keyof Tables> = Insertable<Tables[Name]>

/** The two engines, as far as the schema must tell them apart. */
export type Engine = 'sqlite' | 'postgres'
