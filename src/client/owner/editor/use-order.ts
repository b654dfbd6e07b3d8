import { useEffect, useState } from 'react'
import { arranged, type NewOrder } from '#contract/entries/order.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { orderTexts } from '#contract/texts/order.ts'
import { markUnsaved } from '#client/data/unsaved.ts'

const none: NewOrder = { order: [], moved: [] }

/** The order that the owner is giving a list: its rows, what has moved, and the words for those who hear it. */
export function useOrder(section: Section, entries: readonly Entry[]) {
  const [asked, setAsked] = useState(none)
  const [lifted, setLifted] = useState<string>()
  const [news, setNews] = useState('')
  const isReversed = section.order === 'newest-first'
  const shown = (order: NewOrder) => turned(arranged(entries, order), isReversed)
  const rows = shown(asked)
  const before = new Map(shown(none).map(({ id }, index) => [id, index]))
  const changed = rows.filter(({ id }, index) => before.get(id) !== index)
  const isChanged = changed.length > 0
  const form = `order:${section.key}`

  useEffect(() => {
    markUnsaved(form, isChanged)
    return () => markUnsaved(form, false)
  }, [form, isChanged])

  const nameOf = (id: string) =>
    rows.find((row) => row.id === id)?.fields[section.display.title] ?? ''
  const say = (id: string, place: number) =>
    setNews(fill(orderTexts.place, { name: nameOf(id), n: place + 1, all: rows.length }))

  /** Counts the place from 0, in the list as it is read. */
  const moveTo = (id: string, place: number) => {
    const from = rows.findIndex((row) => row.id === id)
    const row = rows[from]
    const to = Math.min(Math.max(place, 0), rows.length - 1)
    if (!row || from === to) return
    const next = rows.toSpliced(from, 1).toSpliced(to, 0, row)
    const moved = [...new Set([...asked.moved, id])]
    setAsked({ order: turned(next, isReversed).map((each) => each.id), moved })
    say(id, to)
  }

  return {
    rows,
    lifted,
    news,
    /** The moves to be saved. */
    asked,
    /** Says in the bar what moved last, and how much there is to save. */
    summary: summaryOf(),
    isChanged,
    isRestorable: true,
    moveTo,
    moveBy: (id: string, by: number) => moveTo(id, rows.findIndex((row) => row.id === id) + by),
    lift: (id: string | undefined) => {
      setLifted(id)
      if (id !== undefined)
        say(
          id,
          rows.findIndex((row) => row.id === id),
        )
    },
    restore: () => {
      setAsked(none)
      setLifted(undefined)
      setNews(orderTexts.restored)
    },
  }

  function summaryOf(): string {
    if (!isChanged) return orderTexts.unmoved
    const [only, ...others] = asked.moved
    if (only === undefined || others.length > 0) {
      return fill(orderTexts.moved, { n: asked.moved.length })
    }
    const n = rows.findIndex((row) => row.id === only) + 1
    return fill(orderTexts.movedTo, { name: nameOf(only), n })
  }
}

function turned<Row>(rows: readonly Row[], isReversed: boolean): readonly Row[] {
  return isReversed ? rows.toReversed() : rows
}
