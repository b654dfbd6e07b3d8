import {
  initializeAuth,
  inMemoryPersistence,
  signInWithCustomToken,
  type Auth,
} from 'firebase/auth'
import { getDownloadURL, getStorage, ref, uploadBytesResumable } from 'firebase/storage'
import { createStallTimer } from '#client/browser/stall-timer.ts'
import { firebaseApp } from './app.ts'

interface Picture {
  /** The storage name, such as `New/exp_<uuid>`. */
  readonly name: string
  readonly file: Blob
  /** Asks the server for the token that signs the owner in at Firebase. */
  readonly token: () => Promise<string>
  /** The share that is sent, from 0 to 1. */
  readonly onProgress: (share: number) => void
}

/** A year: a later upload under the same name has another address. */
const cacheControl = 'public, max-age=31536000, immutable'

let auth: Auth | undefined

/** Resolves to the picture's address; rejects with Firebase's own error, `code` and all. */
export async function storePicture({ name, file, token, onProgress }: Picture): Promise<string> {
  // The sign-in stays in memory alone, so that the next person at this device finds nothing.
  auth ??= initializeAuth(firebaseApp(), { persistence: inMemoryPersistence })
  if (!auth.currentUser) await signInWithCustomToken(auth, await token())
  const target = ref(getStorage(firebaseApp()), name)
  const task = uploadBytesResumable(target, file, { contentType: file.type, cacheControl })
  const stall = createStallTimer(() => task.cancel())
  task.on('state_changed', ({ bytesTransferred, totalBytes }) => {
    stall.heard()
    onProgress(totalBytes === 0 ? 1 : bytesTransferred / totalBytes)
  })
  const { metadata } = await Promise.resolve(task).finally(stall.stop)
  const address = new URL(await getDownloadURL(target))
  // An edited picture keeps its name, and its token may stay too: without this the browser would show its old copy.
  address.searchParams.set('v', metadata.generation)
  return address.href
}
