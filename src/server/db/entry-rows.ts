import { altIn } from '#contract/images/alternative-text.ts'
import type { FieldValues } from '#contract/fields.ts'
import { hiddenField, isHidden, visibilityIn } from '#contract/entries/hidden.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import type { EntryRow, Executor } from './tables.ts'

/* A section's own table: its queries, and what its rows say. */

/** The queries of a section's table, whose name and columns follow from its definition. */
export function tableOf(x: Executor, { key }: Section) {
  return x.$extendTables<Record<typeof key, EntryRow>>()
}

/** A row of a section's table, whose columns the types cannot name. */
export function toEntry(section: Section, row: Readonly<Record<string, string | number>>): Entry {
  return {
    id: String(row['id']),
    version: Number(row['version']),
    fields: { ...pick(section.fields, row), ...altIn(row), ...visibilityIn(row) },
  }
}

/** Exactly these fields of the row, each a text. */
export function pick(fields: object, row: Readonly<Record<string, string | number>>): FieldValues {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, String(row[name] ?? '')]))
}

interface EntryPlace {
  readonly id: string
  readonly position: number
  readonly isHidden: boolean
}

/** The ids of a section's entries with their positions, in order, and whether visitors see them. */
export async function listPositions(x: Executor, section: Section): Promise<readonly EntryPlace[]> {
  const rows = await tableOf(x, section)
    .selectFrom(section.key)
    .select(['id', 'position', hiddenField])
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(({ id, position, ...row }) => ({
    id,
    position,
    isHidden: isHidden({ fields: visibilityIn(row) }),
  }))
}
