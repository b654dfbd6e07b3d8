import { useState } from 'react'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { inOrder } from '#contract/settings/settings.ts'
import { fill } from '#contract/text.ts'
import { orderTexts } from '#contract/texts/order.ts'
import type { MovableList } from '#client/owner/editor/row-order.tsx'

interface OrderSetting {
  readonly value: string
  readonly save: (next: string, before: string) => void
}

interface SectionOrder extends MovableList {
  readonly rows: readonly Section[]
  /** Says what moved last. */
  readonly news: string
}

const keysOf = (rows: readonly Section[]) => rows.map(({ key }) => key).join(',')

/** A move by an arrow is saved at once, one by the handle when the row is let go. */
export function useSectionOrder({ value, save }: OrderSetting): SectionOrder {
  const [taken, setTaken] = useState<{ id: string; rows: readonly Section[] }>()
  const [news, setNews] = useState('')
  const kept = inOrder(sections, { sections_order: value })
  const rows = taken?.rows ?? kept

  const keep = (next: readonly Section[]) => {
    if (keysOf(next) === keysOf(kept)) return
    // The original order is saved as none: on the CV too, which has an order of its own.
    save(keysOf(next) === keysOf(sections) ? '' : keysOf(next), value)
  }

  const say = (id: string, list: readonly Section[]) => {
    const n = list.findIndex(({ key }) => key === id) + 1
    const name = list[n - 1]?.title ?? ''
    setNews(fill(orderTexts.place, { name, n, all: list.length }))
  }

  const moved = (id: string, to: number): readonly Section[] | undefined => {
    const from = rows.findIndex(({ key }) => key === id)
    const row = rows[from]
    if (!row || from === to || to < 0 || to >= rows.length) return undefined
    return rows.toSpliced(from, 1).toSpliced(to, 0, row)
  }

  const moveTo = (id: string, place: number) => {
    const next = taken && moved(id, place)
    if (!next) return
    setTaken({ id, rows: next })
    say(id, next)
  }

  return {
    rows,
    news,
    lifted: taken?.id,
    isRestorable: taken !== undefined,
    moveTo,
    moveBy: (id, by) => {
      const place = rows.findIndex(({ key }) => key === id) + by
      if (taken) return moveTo(id, place)
      const next = moved(id, place)
      if (!next) return
      keep(next)
      say(id, next)
    },
    lift: (id) => {
      if (taken) keep(taken.rows)
      setTaken(id === undefined ? undefined : { id, rows })
      if (id !== undefined) say(id, rows)
    },
    restore: () => {
      setTaken(undefined)
      setNews(orderTexts.restored)
    },
  }
}
