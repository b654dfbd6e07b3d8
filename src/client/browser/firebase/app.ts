import { initializeApp, type FirebaseApp } from 'firebase/app'

let app: FirebaseApp | undefined

/** Connects with the first call; connecting sends nothing. */
export function firebaseApp(): FirebaseApp {
  const options = import.meta.env.VITE_FIREBASE_OPTIONS
  if (!options) throw new Error('this build has no project at Firebase')
  return (app ??= initializeApp(options))
}
