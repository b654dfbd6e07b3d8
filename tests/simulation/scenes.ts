import fc from 'fast-check'
import type { Step } from './steps.ts'
import type { Fate, Stranger } from './world/line.ts'

/*
 * Steps that belong together. Left to chance alone, several changes of one entry hardly ever meet the trouble that they have
 * to be got through together.
 */

const pause = fc.constantFrom(0, 5, 30, 80, 400, 4_000)
const someEntry = fc.nat({ max: 2 })

/** One that is nearly always there, and goes where a history that fails is made smaller. */
const nearlyAlways = (step: fc.Arbitrary<Step>) => fc.option(step, { freq: 24, nil: undefined })

/** Steps in this order. */
function inOrder(steps: readonly fc.Arbitrary<Step>[]): fc.Arbitrary<readonly Step[]> {
  return fc.tuple(...steps.map(nearlyAlways)).map((some) => some.filter((one) => one !== undefined))
}

const befalls = (fate: fc.Arbitrary<Fate>, calls: fc.Arbitrary<number>) =>
  fc.record({ is: fc.constant('line' as const), fate, calls, isOfAll: fc.constant(false) })

const lost = fc.constantFrom<Fate>(
  { is: 'answer lost' },
  { is: 'answer lost' },
  { is: 'request lost' },
  { is: 'answer cut' },
  { is: 'answered silence' },
)
const refusing = fc
  .constantFrom<Stranger>('403', '404', '403 JSON', '404 JSON', '502')
  .map((answer): Fate => ({ is: 'stranger', answer, isAfter: false }))

/** She goes on with an entry while it is not known whether an earlier change of it arrived. */
const goesOn = fc.record({ tab: fc.nat({ max: 3 }), entry: someEntry }).chain(({ tab, entry }) => {
  const doing = { tab: fc.constant(tab), pause }
  const edit = fc.record({
    ...doing,
    is: fc.constantFrom('rename' as const, 'describe' as const),
    entry: fc.constant(entry),
    picture: fc.constant('none' as const),
  })
  const remove = fc.record({
    ...doing,
    is: fc.constant('remove' as const),
    entry: fc.constant(entry),
  })
  // A new entry stands first.
  const isNew = entry === 0
  const create = fc.record({
    ...doing,
    is: fc.constant('create' as const),
    picture: fc.constant('none' as const),
  })
  const first = isNew ? fc.oneof(create, edit) : edit
  return inOrder([
    fc.constant({ is: 'server starts' }),
    befalls(lost, fc.constant(1)),
    first,
    befalls(refusing, fc.constantFrom(1, 4, 1_000)),
    fc.oneof({ weight: 3, arbitrary: edit }, { weight: 1, arbitrary: remove }),
    edit,
    fc.constant({ is: 'line is well' }),
    fc.record({ is: fc.constant('wait' as const), seconds: fc.constantFrom(5, 40) }),
  ])
})

/** The form of one entry is open twice before either is saved, in two tabs that follow each other. */
const twoForms = fc
  .record({
    entry: someEntry,
    first: fc.nat({ max: 3 }),
    device: fc.nat({ max: 1 }),
    isSwapped: fc.boolean(),
  })
  .chain(({ entry, first, device, isSwapped }) => {
    const begin = (tab: number) =>
      fc.record({
        is: fc.constant('begin' as const),
        tab: fc.constant(tab),
        entry: fc.constant(entry),
        pause,
      })
    const finish = (tab: number) =>
      fc.record({ is: fc.constant('finish' as const), tab: fc.constant(tab), pause })
    const [before, after] = isSwapped ? [first + 1, first] : [first, first + 1]
    const off = fc.constantFrom<Step>({ is: 'offline', device }, { is: 'line is well' })
    return inOrder([
      fc.constant({ is: 'server starts' }),
      fc.constant({ is: 'line is well' }),
      fc.constant({ is: 'online', device }),
      fc.constant({ is: 'open tab', device }),
      fc.constant({ is: 'open tab', device: 1 - device }),
      fc.constant({ is: 'wait', seconds: 1 }),
      begin(first),
      begin(first + 1),
      off,
      finish(before),
      finish(after),
      fc.constant({ is: 'online', device }),
      fc.constant({ is: 'wait', seconds: 5 }),
    ])
  })

export const scene: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { weight: 3, arbitrary: goesOn },
  { weight: 2, arbitrary: twoForms },
)
