import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { isHidden } from '#contract/entries/hidden.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { hiddenTexts } from '#contract/texts/hidden.ts'
import { orderTexts } from '#contract/texts/order.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { whileBusy } from '#client/data/unsaved.ts'
import { tellResult } from '#client/owner/changes/change-notices.ts'
import { orderEntriesOperation, submitChange } from '#client/owner/changes/submit-change.ts'
import { countOf } from '#client/site/list-page.tsx'
import { EntryThumb } from '#client/site/entry-thumb.tsx'
import { Button } from '#client/ui/button.tsx'
import { Sprite } from '#client/ui/icon.tsx'
import { useRowFocus } from '#client/ui/lost-focus.ts'
import { hiddenCount, inGenderOf } from './hidden-words.ts'
import { LeaveQuestion } from './leave-question.tsx'
import {
  MoveArrows,
  MoveHandle,
  OrderKeys,
  orderSymbols,
  useDragging,
  useFocusReturn,
  useLettingGo,
  type TakeRow,
} from './row-order.tsx'
import { useOrder } from './use-order.ts'
import { useWholeList } from './whole-list.ts'

interface OrderPageProps {
  readonly section: Section
  readonly onDone: () => void
}

/** Rows move by the handle, the keyboard, or a press on an arrow. */
export function OrderPage({ section, onDone }: OrderPageProps) {
  const queryClient = useQueryClient()
  const list = useOrder(section, useWholeList(section).entries)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const dragging = useDragging(list)
  const refocus = useFocusReturn(list.rows)
  useLettingGo(list)
  const rows = useRowFocus<HTMLOListElement>()

  const save = async () => {
    onDone()
    if (!list.isChanged) return
    const result = await submitChange(orderEntriesOperation(section, list.asked), { queryClient })
    tellResult(result, orderTexts)
  }
  return (
    <>
      <Sprite symbols={orderSymbols} />
      <header className="page-head">
        <h1 ref={title} className="caret" tabIndex={-1}>
          {orderTexts.sort}
        </h1>
        <p>{hiddenCount(section, list.rows) ?? countOf(section, list.rows.length)}</p>
      </header>
      <ol className="card rows order-list" aria-label={orderTexts.list} {...rows}>
        {list.rows.map((entry, index) => (
          <OrderRow
            key={entry.id}
            {...{ section, entry, index, list, refocus }}
            onDrag={dragging}
          />
        ))}
      </ol>
      <OrderKeys />
      <p className="sr-only" role="status">
        {list.news}
      </p>
      <div className="applybar" role="region" aria-label={orderTexts.region}>
        <p>
          <b>{list.summary}</b>
          {orderTexts.hint}
        </p>
        <Button tone="ghost" onClick={onDone}>
          {ownerTexts.cancel}
        </Button>
        <Button onClick={() => void whileBusy(save)}>{orderTexts.save}</Button>
      </div>
      <LeaveQuestion form={list.form} isKept={false} />
    </>
  )
}

interface OrderRowProps {
  readonly section: Section
  readonly entry: Entry
  readonly index: number
  readonly list: ReturnType<typeof useOrder>
  /** Takes the id of the control that keeps the focus when its row moves. */
  readonly refocus: (control: string) => void
  readonly onDrag: TakeRow
}

function OrderRow({ section, entry, index, list, refocus, onDrag }: OrderRowProps) {
  const { id, fields } = entry
  const { display } = section
  const name = fields[display.title] ?? ''
  const facts = [
    display.kind === 'card' && fields[display.fact.field],
    isHidden(entry) && inGenderOf(section, hiddenTexts.badge),
  ].filter(Boolean)
  const row = { list, id, name, index, all: list.rows.length, refocus }
  return (
    <li className={list.lifted === id ? 'lifted' : undefined}>
      <MoveHandle {...row} onDrag={onDrag} />
      <EntryThumb section={section} entry={entry} size={44} />
      <div>
        <b>{name}</b>
        {facts.length > 0 && <small>{facts.join(' · ')}</small>}
      </div>
      <MoveArrows {...row} />
    </li>
  )
}
