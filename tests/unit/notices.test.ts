import { expect, test } from 'vitest'
import { createNotices } from '#client/ui/notices.ts'
import { visibleNotices } from '#client/ui/visible-notices.ts'

const textsOf = (notices: ReturnType<typeof createNotices>) =>
  visibleNotices(notices.get()).map(({ text }) => text)

test('a notice resolves true when its button is pressed and false when it goes otherwise', async () => {
  const notices = createNotices()
  const pressed = notices.add('info-snackbar', 'uno')
  const gone = notices.add('info-snackbar', 'dos')
  const [first, second] = notices.get()
  notices.close(first?.id ?? 0, true)
  notices.close(second?.id ?? 0, false)
  expect(await Promise.all([pressed, gone])).toEqual([true, false])
  expect(notices.get()).toEqual([])
})

test('three notices are on screen and the fourth waits for its turn', () => {
  const notices = createNotices()
  for (const text of ['uno', 'dos', 'tres', 'cuatro']) void notices.add('info-snackbar', text)
  expect(textsOf(notices)).toEqual(['uno', 'dos', 'tres'])
  notices.close(notices.get()[0]?.id ?? 0, false)
  expect(textsOf(notices)).toEqual(['dos', 'tres', 'cuatro'])
})

test('a question is on screen at once, however many notices came before it', () => {
  const notices = createNotices()
  for (const text of ['uno', 'dos', 'tres']) void notices.add('info-snackbar', text)
  void notices.add('error-snackbar', 'pregunta', { question: 'Confirmar' })
  expect(textsOf(notices)).toEqual(['uno', 'dos', 'pregunta'])
})

test('a new notice does not push an open question away', () => {
  const notices = createNotices()
  void notices.add('error-snackbar', 'pregunta', { question: 'Confirmar' })
  for (const text of ['uno', 'dos', 'tres']) void notices.add('info-snackbar', text)
  expect(textsOf(notices)).toEqual(['pregunta', 'uno', 'dos'])
})

test('whoever listens is told of every change and of none after leaving', () => {
  const notices = createNotices()
  let told = 0
  const leave = notices.subscribe(() => told++)
  void notices.add('info-snackbar', 'uno')
  notices.close(notices.get()[0]?.id ?? 0, false)
  leave()
  void notices.add('info-snackbar', 'dos')
  expect(told).toBe(2)
})

test('closing what is already gone changes no answer', async () => {
  const notices = createNotices()
  const answer = notices.add('info-snackbar', 'uno')
  const id = notices.get()[0]?.id ?? 0
  notices.close(id, false)
  notices.close(id, true)
  expect(await answer).toBe(false)
})

test('what is said again takes the place of what still says it, but where something can be done about each', async () => {
  const notices = createNotices()
  const first = notices.add('success-snackbar', 'copiado', { stays: 'copied' })
  void notices.add('info-snackbar', 'otro')
  void notices.add('success-snackbar', 'copiado', { stays: 'copied' })
  expect(textsOf(notices)).toEqual(['otro', 'copiado'])
  expect(await first).toBe(false)
  for (const id of [1, 2]) {
    void notices.add('success-snackbar', 'borrado', {
      other: { label: 'Deshacer', press: () => void id },
    })
  }
  expect(textsOf(notices)).toEqual(['otro', 'copiado', 'borrado'])
  expect(notices.get()).toHaveLength(4)
})
