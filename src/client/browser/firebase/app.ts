import { initializeApp, type FirebaseApp } from 'firebase/app'

let app: FirebaseApp | undefined

/** The project's connection to Firebase, made with the first call; nothing is sent by making it. */
export function firebaseApp(): FirebaseApp {
  const options = import.meta.env.VITE_FIREBASE_OPTIONS
  if (!options) throw new Error('this build has no project at Firebase')
  return (app ??= initializeApp(options))
}
