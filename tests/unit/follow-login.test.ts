import { afterEach, expect, test, vi } from 'vitest'
import { followLogin } from '#client/data/outbox/follow-login.ts'
import { expire, logIn, postponeLogin } from '#client/data/session.ts'

afterEach(() => void vi.unstubAllGlobals())

function answers(): boolean[] {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  })
  logIn({ token: 'first', userName: 'ana', authorities: [] })
  const heard: boolean[] = []
  followLogin((isRenewed) => void heard.push(isRenewed))
  return heard
}

test('a login put off is an answer, whoever asked for it, and the end of a session is none', () => {
  const heard = answers()
  expire()
  expect(heard).toEqual([])
  postponeLogin()
  expect(heard).toEqual([false])
})

test('only a new token counts as a login', () => {
  const heard = answers()
  expire()
  logIn({ token: 'second', userName: 'ana', authorities: [] })
  expect(heard).toEqual([true])
})
