import type { NewOrder } from '#contract/entries/order.ts'
import type { FieldValues } from '#contract/fields.ts'
import type { Operation } from './operation.ts'

/** An order as the values of an operation. */
export function orderValues({ order, moved }: NewOrder): FieldValues {
  return { order: order.join(' '), moved: moved.join(' ') }
}

/** The order that an operation asks for. */
export function newOrderOf({ values }: Pick<Operation, 'values'>): NewOrder {
  const ids = (name: keyof NewOrder) => (values[name] ?? '').split(' ').filter(Boolean)
  return { order: ids('order'), moved: ids('moved') }
}
