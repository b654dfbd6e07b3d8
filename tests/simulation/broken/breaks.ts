import type { Mutation } from '../world/bundle.ts'

const send = 'src/client/outbox/send.ts'
const requests = 'src/client/outbox/requests.ts'
const contact = 'src/client/outbox/send-contact.ts'
const outbox = 'src/client/outbox/outbox.ts'
const keyHeader = '[idempotencyHeader]: operation.id,'

/** The product broken in each way that would lose, double, mix up, announce too early or ask without need. */
export const broken: Readonly<Record<string, readonly Mutation[]>> = {
  // What is done to an entry the server knows again by its id and its version; a message it knows by its key alone.
  'drops the key': [
    { file: requests, from: keyHeader, to: '' },
    { file: contact, from: '[idempotencyHeader]: key,', to: '' },
  ],
  'makes a new key for every try': [
    { file: requests, from: keyHeader, to: '[idempotencyHeader]: String(Math.random()),' },
    {
      file: contact,
      from: '[idempotencyHeader]: key,',
      to: '[idempotencyHeader]: String(Math.random()),',
    },
  ],
  'says it is done before it is': [
    { file: outbox, from: 'return asKept(await outcome)', to: "return { state: 'saved' }" },
  ],
  'says it is kept before it is, and keeps it later': [
    {
      file: 'src/client/browser/database.ts',
      from: 'committed(objects.transaction).then(() => resolve(result), reject)',
      to: 'resolve(result), objects.transaction.abort()',
    },
  ],
  'sends from every tab at once': [
    {
      file: 'src/client/outbox/drain.ts',
      from: "inTurn('tintero-outbox-drain'",
      to: 'inTurn(String(Math.random())',
    },
  ],
  'forgets what meets the end of the session': [
    {
      file: send,
      from: "return { is: 'login' }",
      // An answer without a row would not get past what shows it.
      to: "return { is: 'applied', json: { id: operation.subject.id, version: 1, ...operation.values } }",
    },
  ],
  'takes whatever answers for the server': [
    {
      file: 'src/client/data/api.ts',
      from: 'if (!isOurs(answer)) throw',
      to: 'if (answer.status < 100) throw',
    },
    // What is written looks at its answer once more.
    {
      file: requests,
      from: "if (typeof json !== 'object' || json === null) throw",
      to: 'if (!operation.id) throw',
    },
  ],
  'folds into what may have arrived': [
    {
      file: 'src/client/outbox/fold.ts',
      from: 'return operation.tries === 0 ||',
      to: 'return operation.tries >= 0 ||',
    },
  ],
  'writes over any version': [
    { file: requests, from: '...(version === undefined ? {} :', to: '...(version !== 0 ? {} :' },
  ],
  'loses the picture': [
    {
      file: outbox,
      from: '{ [operation.id]: picture }',
      to: '{}',
    },
    {
      file: send,
      from: 'if (!picture) throw',
      to: 'if (!picture) return {}\n  if (!picture) throw',
    },
  ],
  'shows what the server has instead of what waits': [
    {
      file: 'src/client/outbox/overlay-rows.ts',
      from: 'subject.section !== section) continue',
      to: 'subject.section !== section || operation.tries > 0) continue',
    },
  ],
  'sends the newest first': [
    {
      file: 'src/client/outbox/queue-rules.ts',
      from: 'first ??= operation',
      to: 'first = operation',
    },
  ],
  'takes her own change for somebody else’s': [
    {
      file: 'src/client/outbox/version-chain.ts',
      from: 'next.set(keyOf(operation, base), { made, changes: changesIn(operation) })',
      to: '',
    },
  ],
}
