import type { PushKind } from '#contract/push.ts'
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
  /** One counter per kind of content, raised in the transaction of every change. */
  revision: { kind: string; rev: number }
  owner: { id: string; user_name: string; password: string; created_at: string }
  session: {
    token_hash: string
    owner_id: string
    role: string
    created_at: string
    seen_at: string
  }
  one_time_link: {
    token_hash: string
    purpose: 'setup' | 'reset'
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
    /** 0 for the inbox, 1 for the spam tray. */
    spam: number
    /** Why it went to the spam tray, for the owner to read; empty in the inbox. */
    spam_reason: string
    read_at: string | null
    /** 1 once the owner's devices were told of it, or need not be. */
    rung: Generated<number>
    /** Of what it says, to know the same text again; empty for messages older than that. */
    digest: Generated<string>
  }
  device: {
    id: string
    kind: PushKind
    /** What makes two addresses the same: the endpoint or the installation. */
    address_key: string
    /** A `PushAddress` as JSON. */
    address: string
    label: string
    /** The session that put it here last: it goes when that session is ended from elsewhere. */
    session_hash: string
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
    kind: 'ring' | 'push'
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
  image: {
    hash: string
    /** The file name of the full picture; smaller widths follow from it. */
    file: string
    bytes: number
    created_at: string
    /** Since when no row refers to it. */
    orphan_since: string | null
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
  version: number
}

/** A database of either engine. */
export type Db = Kysely<Tables>
/** A database or an open transaction on it: whatever a query can run on. */
export type Executor = Db | Transaction<Tables>
export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>
export type NewRow<Name extends keyof Tables> = Insertable<Tables[Name]>

/** The two engines, as far as the schema must tell them apart. */
export type Engine = 'sqlite' | 'postgres'
