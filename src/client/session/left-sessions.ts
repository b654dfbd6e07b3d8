import { get } from 'idb-keyval'
import { v4 as newId, v5 as digestOf } from 'uuid'
import { accessCalls, maxLeft, revocationNamespace } from '#contract/access/access.ts'
import { serverWaitMs } from '#contract/offline/offline.ts'
import { openStore, putAll, writeRead } from '#client/browser/database.ts'
import { delay, inTime } from '#client/browser/delay.ts'
import { inTurn } from '#client/browser/in-turn.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { leftName, setStored } from '#client/browser/device-storage.ts'
import { ApiError, callApi } from '#client/data/api.ts'
import { isKept } from '#client/data/session.ts'

/*
 * Sessions that were ended here and that the server may not have heard of. What is kept of a token opens nothing; what the
 * device kept by cookie ends by the cookie, which goes along.
 */

const key = 'revocations'
const turn = 'tintero-left'
const store = openStore({ database: 'tintero-left', store: 'left' })

/** Notes, before anything else can go wrong, that a session is ended; on disk when it resolves, if the device takes it. Never rejects. */
export async function noteLeft(token: string | undefined): Promise<void> {
  setStored(leftName, '1')
  // Where there is no token the note has an id that ends nothing: who hears of earlier notes must not take it for heard.
  const revocation = token === undefined ? newId() : revocationOf(token)
  try {
    await inTime(changeLeft((left) => [...left, revocation].slice(-maxLeft)))
  } catch (cause) {
    logProblem('The end of the session could not be noted', cause)
  }
}

/**
 * Tells the server of every session ended here, with that of a token whether it could be noted or not; what it does not hear of
 * now it hears of at the next connection. Resolves to whether it has heard. Never rejects.
 */
export function endLeft(token?: string): Promise<boolean> {
  return inTurn(turn, async () => {
    try {
      const also = token === undefined ? [] : [revocationOf(token)]
      // A device that does not say what was left still has the cookie, and this token.
      const left = await inTime(readLeft()).catch(() => [])
      const revocations = [...new Set([...left, ...also])].slice(-maxLeft)
      // Since then she may have signed in anew: what is kept now is not what was left.
      const send = isKept() ? sendAlone : fetch
      await callApi('POST', accessCalls.endLeft, { body: { revocations }, send })
      await inTime(forgetLeft(revocations)).catch(() => setStored(leftName, ''))
      return true
    } catch (error) {
      // A server that refuses it will not take it later either.
      if (error instanceof ApiError && error.status === 422) await forgetLeft(await readLeft())
      else logProblem('The server was not told that the session ended', error)
      return false
    }
  })
}

/**
 * Runs what gives this device another cookie or takes it away: one tab after the other, and not while the server is told of
 * what was left here, which takes it away too.
 * Rejects, and runs nothing later, when that goes on for too long.
 */
export async function besideNoEnd(task: () => Promise<void>): Promise<void> {
  const begun = Promise.withResolvers<true>()
  let isGivenUp = false
  const run = inTurn(turn, async () => {
    if (isGivenUp) return
    begun.resolve(true)
    await task()
  })
  if (!(await Promise.race([begun.promise, run.then(() => true), delay(serverWaitMs)]))) {
    isGivenUp = true
    throw new Error('The server is still being told of an earlier end')
  }
  await run
}

function sendAlone(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, credentials: 'omit' })
}

async function readLeft(): Promise<readonly string[]> {
  return (await get<readonly string[]>(key, store)) ?? []
}

/** The server has ended the session of this token: what was noted of it goes. Never rejects. */
export async function heardOf(token: string): Promise<void> {
  try {
    await inTurn(turn, () => forgetLeft([revocationOf(token)]))
  } catch (cause) {
    logProblem('What was noted of a session could not be forgotten', cause)
  }
}

function revocationOf(token: string): string {
  return digestOf(token, revocationNamespace)
}

/** Forgets what the server has heard of; what was added meanwhile stays. */
function forgetLeft(heard: readonly string[]): Promise<void> {
  return changeLeft((left) => left.filter((revocation) => !heard.includes(revocation)))
}

/**
 * Changes the notes, and the fact that there are some, in one transaction: two tabs that end their sessions at once would
 * otherwise each write what they read, without the other's. Committed at once, since the page may be closed in any moment.
 */
function changeLeft(change: (left: readonly string[]) => readonly string[]): Promise<void> {
  return store('readwrite', (objects) =>
    writeRead(objects, objects.get(key), (read) => {
      const left = change((read as readonly string[] | undefined) ?? [])
      putAll(objects, [[key, left.length > 0 ? left : undefined]])
      setStored(leftName, left.length > 0 ? '1' : '')
    }),
  )
}
