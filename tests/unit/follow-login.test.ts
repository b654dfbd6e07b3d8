import { afterEach, expect, test, vi } from 'vitest'
import { askToSignIn, logIn, postponeLogin } from '#client/session/session-change.ts'
import { webStorage } from '#tests/support/page-storage.ts'
import { followLogin } from '#client/outbox/page-outbox.ts'

afterEach(() => void vi.unstubAllGlobals())

function answers(): boolean[] {
  vi.stubGlobal('sessionStorage', webStorage())
  logIn({ token: 'first', userName: 'ana', authorities: [] })
  const heard: boolean[] = []
  followLogin((isRenewed) => void heard.push(isRenewed))
  return heard
}

test('a login put off is an answer, whoever asked for it, and the end of a session is none', () => {
  const heard = answers()
  askToSignIn()
  expect(heard).toEqual([])
  postponeLogin()
  expect(heard).toEqual([false])
})

test('only a new token counts as a login', () => {
  const heard = answers()
  askToSignIn()
  logIn({ token: 'second', userName: 'ana', authorities: [] })
  expect(heard).toEqual([true])
})
