import type { SettingValues } from './settings/settings.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** How long a success, error or info snackbar stays, in milliseconds. */
export const noticeMs = 3000
/** How long the delete confirmation waits for an answer. */
export const confirmMs = 5000
/** How long 'Correo copiado!' stays. */
export const copiedMs = 2000
/** From the notice of a create to the reload of the page. */
export const reloadAfterCreateMs = 3000
/** From 'Cargando...' to offering another try. */
export const offerRetryAfterMs = 8000
/** How long a write may go without an answer, and an upload without moving on. */
export const writeWithinMs = 30_000
/** How long a visitor's message is tried before it waits for the visitor's word. */
export const messageLifeMs = 7 * dayMs

/** How long the server knows a repeated call by its key; after that it tells by its own row what the first try became. */
export const keyLifeMs = 30 * dayMs
/** After so long a wait the owner is told that the key's life ends. */
export const longWaitMs = 23 * dayMs

/** How much the clocks of the site's processes may differ. */
export const clocksMs = minuteMs

/** The settings' durations, in milliseconds; where a copy of an older build has none, those above. */
export function durationsOf(values: Partial<SettingValues> = {}) {
  return {
    notice: Number(values.notice_seconds) * 1000 || noticeMs,
    question: Number(values.removal_seconds) * 1000 || confirmMs,
    copied: Number(values.copied_seconds) * 1000 || copiedMs,
    reload: Number(values.reload_seconds) * 1000 || reloadAfterCreateMs,
  }
}

/**
 * The moment, in milliseconds, at which the day of another moment ends: what follows from the date, such as an age, changes
 * then.
 */
export function endOfDay(moment: number): number {
  return (Math.floor(moment / dayMs) + 1) * dayMs
}
