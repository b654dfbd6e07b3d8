import fc from 'fast-check'
import { strangers, type Fate, type Stranger } from './world/line.ts'

interface Doing {
  /** Tabs, entries and devices are counted over those that are there at the time, so a step keeps a meaning without others. */
  readonly tab: number
  /** How long she waits after it, in milliseconds. */
  readonly pause: number
}

/** One that the server takes, or one that only the server finds fault with. */
type ChosenPicture = 'none' | 'good' | 'refused'

/** What she says to a change that waits for her word. */
export type Choice = 'mine' | 'theirs'

/** One thing that somebody does, or that befalls her. */
export type Step =
  | ({ readonly is: 'create'; readonly picture: ChosenPicture } & Doing)
  | ({
      readonly is: 'rename' | 'describe'
      readonly entry: number
      readonly picture: ChosenPicture
    } & Doing)
  | ({ readonly is: 'remove' | 'hide' | 'publish'; readonly entry: number } & Doing)
  | ({ readonly is: 'profile' | 'message' | 'finish' } & Doing)
  | ({ readonly is: 'begin'; readonly entry: number | 'new' } & Doing)
  | ({ readonly is: 'read-only'; readonly isOn: boolean } & Doing)
  | ({ readonly is: 'answer'; readonly choice: Choice } & Doing)
  | ({ readonly is: 'reload' | 'close tab' | 'sign in' | 'sign out' } & Doing)
  | { readonly is: 'wait'; readonly seconds: number }
  | { readonly is: 'line'; readonly fate: Fate; readonly calls: number; readonly isOfAll: boolean }
  | { readonly is: 'clock'; readonly of: number | 'server'; readonly years: number }
  | {
      readonly is: 'offline' | 'online' | 'open tab' | 'kill browser' | 'kill browser and server'
      readonly device: number
    }
  | {
      readonly is:
        | 'line is well'
        | 'server stops'
        | 'server starts'
        | 'sessions end'
        | 'another owner'
        | 'weeks pass'
        | 'back up'
        | 'restore'
    }

/** The steps in which somebody changes something. */
export const operations: ReadonlySet<Step['is']> = new Set([
  'create',
  'rename',
  'describe',
  'remove',
  'hide',
  'publish',
  'profile',
  'message',
  'finish',
  'read-only',
])

/** The steps in which something fails or goes away by itself, beside what happens to calls. */
const misfortunes: ReadonlySet<Step['is']> = new Set([
  'reload',
  'close tab',
  'sign out',
  'offline',
  'server stops',
  'kill browser',
  'kill browser and server',
  'clock',
  'sessions end',
  'another owner',
  'weeks pass',
  'restore',
])

/** Which kind of fault a step is; undefined where it is none. */
export function faultOf(step: Step): string | undefined {
  if (step.is === 'line') return fateInWords(step.fate)
  return misfortunes.has(step.is) ? step.is : undefined
}

const entry = fc.nat({ max: 4 })
const device = fc.nat({ max: 1 })
const doing = {
  tab: fc.nat({ max: 3 }),
  // Often not long enough for an answer.
  pause: fc.constantFrom(0, 5, 30, 80, 400, 4_000),
}
const picture = fc.constantFrom<ChosenPicture>('none', 'none', 'none', 'good', 'good', 'refused')

const lost = fc.constantFrom<Fate>(
  { is: 'answer lost' },
  { is: 'request lost' },
  { is: 'answer cut' },
  { is: 'silence' },
  { is: 'answered silence' },
  { is: 'late' },
  { is: 'body cut' },
)
const strange = fc.record({
  is: fc.constant('stranger' as const),
  answer: fc.constantFrom(...(Object.keys(strangers) as Stranger[])),
  isAfter: fc.boolean(),
})

/** One of the kinds of step that share a shape; as likely as they are many. */
function of<Is extends Step['is'], Rest extends object>(
  kinds: readonly [Is, ...Is[]],
  rest: { readonly [Name in keyof Rest]: fc.Arbitrary<Rest[Name]> },
) {
  return fc.record({ is: fc.constantFrom(...kinds), ...rest }) as fc.Arbitrary<Step>
}

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 14, arbitrary: of(['create'], { ...doing, picture }) },
  { weight: 18, arbitrary: of(['rename', 'rename', 'describe'], { ...doing, entry, picture }) },
  {
    weight: 14,
    arbitrary: of(['remove', 'hide', 'hide', 'publish'], { ...doing, entry }),
  },
  { weight: 18, arbitrary: of(['profile', 'message', 'finish', 'finish'], doing) },
  {
    weight: 7,
    arbitrary: of(['begin'], { ...doing, entry: fc.oneof(entry, fc.constant('new' as const)) }),
  },
  { weight: 3, arbitrary: of(['read-only'], { ...doing, isOn: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: of(['answer'], { ...doing, choice: fc.constantFrom<Choice>('mine', 'theirs') }),
  },
  {
    weight: 9,
    arbitrary: of(['reload', 'close tab', 'reload', 'close tab', 'sign in', 'sign out'], doing),
  },
  { weight: 8, arbitrary: of(['wait'], { seconds: fc.constantFrom(1, 5, 40, 120) }) },
  {
    weight: 14,
    arbitrary: of(['line'], {
      fate: fc.oneof({ weight: 3, arbitrary: lost }, { weight: 4, arbitrary: strange }),
      calls: fc.constantFrom(1, 1, 2, 4, 1000),
      isOfAll: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: of(['clock'], {
      of: fc.oneof(device, fc.constant('server' as const)),
      years: fc.constantFrom(-1, 1),
    }),
  },
  { weight: 12, arbitrary: of(['offline', 'online', 'online', 'open tab'], { device }) },
  { weight: 4, arbitrary: of(['kill browser', 'kill browser and server'], { device }) },
  {
    weight: 15,
    arbitrary: of(
      [
        'line is well',
        'line is well',
        'line is well',
        'line is well',
        'server stops',
        'server starts',
        'server starts',
        'sessions end',
        'another owner',
        'weeks pass',
        'back up',
        'restore',
      ],
      {},
    ),
  },
)

/** A step in words. */
export function inWords({ is, ...rest }: Step): string {
  const facts = Object.entries(rest).map(([name, value]: [string, unknown]) => {
    if (name === 'fate') return fateInWords(value as Fate)
    if (name === 'pause') return value === 0 ? '' : `and waits ${String(value)} ms`
    if (typeof value === 'boolean') return value ? name : ''
    return value === 'none' ? '' : `${name} ${String(value)}`
  })
  return [is, ...facts.filter((fact) => fact !== '')].join(', ')
}

function fateInWords(fate: Fate): string {
  if (fate.is !== 'stranger') return fate.is
  const when = fate.isAfter ? "in place of the server's" : 'before the server'
  return `${fate.answer} of a stranger ${when}`
}
