import { useEffect, useState } from 'react'
import { arranged, type NewOrder } from '#contract/entries/order.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { orderTexts } from '#contract/texts/order.ts'
import { markUnsaved } from '#client/data/unsaved.ts'
import { orderForm } from './form-keys.ts'
import { movedRows } from './moved-rows.ts'

const none: NewOrder = { order: [], moved: [] }

/** What was told last: the place of a row, or that all is as it was. */
type Told = { readonly row: string } | 'restored'

const idsOf = (rows: readonly Entry[]) => rows.map(({ id }) => id)

/** The order that the owner is giving a list: its rows, what has moved, and the words for those who hear it. */
export function useOrder(section: Section, entries: readonly Entry[]) {
  const [asked, setAsked] = useState(none)
  const [lifted, setLifted] = useState<string>()
  const [told, setTold] = useState<Told>()
  const isReversed = section.order === 'newest-first'
  const shown = (order: NewOrder) => turned(arranged(entries, order), isReversed)
  const rows = shown(asked)
  const touched = new Set(asked.moved)
  const before = idsOf(shown(none))
  const moved = movedRows(touched, { before, after: idsOf(rows) })
  const isChanged = moved.length > 0
  const form = orderForm(section)

  useEffect(() => {
    markUnsaved(form, isChanged)
    return () => markUnsaved(form, false)
  }, [form, isChanged])

  const placeOf = (id: string) => {
    const index = rows.findIndex((row) => row.id === id)
    return { name: rows[index]?.fields[section.display.title] ?? '', n: index + 1 }
  }

  /** Counts the place from 0, in the list as it is read. */
  const moveTo = (id: string, place: number) => {
    const from = rows.findIndex((row) => row.id === id)
    const row = rows[from]
    const to = Math.min(Math.max(place, 0), rows.length - 1)
    if (!row || from === to) return
    const next = rows.toSpliced(from, 1).toSpliced(to, 0, row)
    // One that was taken back counts no more, also where another device moves it later.
    const still = movedRows(new Set([...touched, id]), { before, after: idsOf(next) })
    setAsked({ order: idsOf(turned(next, isReversed)), moved: still })
    setTold({ row: id })
  }

  return {
    /** Names the order where unsaved work is noted. */
    form,
    rows,
    lifted,
    /** Follows the list, which another page may change meanwhile. */
    news: newsOf(),
    /** The moves to be saved: one that was taken back would undo another device's. */
    asked: { order: idsOf(turned(rows, isReversed)), moved },
    /** Says in the bar what moved last, and how much there is to save. */
    summary: summaryOf(),
    isChanged,
    isRestorable: true,
    moveTo,
    moveBy: (id: string, by: number) => moveTo(id, rows.findIndex((row) => row.id === id) + by),
    lift: (id: string | undefined) => {
      setLifted(id)
      if (id !== undefined) setTold({ row: id })
    },
    restore: () => {
      setAsked(none)
      setLifted(undefined)
      setTold('restored')
    },
  }

  function newsOf(): string {
    if (told === undefined) return ''
    if (told === 'restored') return orderTexts.restored
    const { name, n } = placeOf(told.row)
    return n === 0 ? '' : fill(orderTexts.place, { name, n, all: rows.length })
  }

  function summaryOf(): string {
    if (!isChanged) return orderTexts.unmoved
    const [only, ...others] = moved
    if (only === undefined || others.length > 0) return fill(orderTexts.moved, { n: moved.length })
    return fill(orderTexts.movedTo, placeOf(only))
  }
}

function turned<Row>(rows: readonly Row[], isReversed: boolean): readonly Row[] {
  return isReversed ? rows.toReversed() : rows
}
