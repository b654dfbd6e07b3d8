import { ApiError } from '#client/data/api.ts'

/** Waits for a call that deletes; what is gone already, by an earlier press or another page, is deleted as well. */
export async function unlessGone(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}
