import { fill } from './text.ts'
import { firebaseTexts } from './texts/firebase.ts'

/*
 * What a build uses of Firebase, decided by the variables it is made with. The build bakes the values into the page's
 * code and hands the server the hosts that its policy must allow.
 */

/** A service of Firebase that a build may use; each is chosen on its own. */
export type FirebaseService = 'push' | 'images' | 'config'

/** The project as Firebase's own code wants it. */
interface FirebaseOptions {
  readonly apiKey: string
  readonly projectId: string
  readonly appId: string
  readonly authDomain?: string
  readonly storageBucket?: string
  readonly messagingSenderId?: string
}

export interface FirebaseBuild {
  readonly options: FirebaseOptions
  /** The public half of the project's Web Push key; empty: notifications go without Firebase. */
  readonly vapidKey: string
  readonly services: readonly FirebaseService[]
}

/** What the built server is told beside the client's files. */
export interface BuiltWith {
  /** The project that the pages call, absent when they call none. */
  readonly projectId?: string
  readonly services: readonly FirebaseService[]
  readonly hosts: readonly string[]
}

/** Where the build leaves it, below the client's folder; hidden, so it is not served. */
export const builtWithFile = '.vite/firebase.json'

const installations = 'firebaseinstallations'
const hosts: Readonly<Record<FirebaseService, readonly string[]>> = {
  push: [installations, 'fcmregistrations'],
  images: ['firebasestorage', 'identitytoolkit', 'securetoken'],
  config: [installations, 'firebaseremoteconfig', 'firebaseremoteconfigrealtime'],
}

/** The hosts that pages of a build with these services call. */
export function hostsOf(services: readonly FirebaseService[]): readonly string[] {
  const names = new Set(services.flatMap((service) => hosts[service]))
  return [...names].map((name) => `https://${name}.googleapis.com`)
}

const prefix = 'VITE_FIREBASE_'
const always = ['API_KEY', 'PROJECT_ID', 'APP_ID'] as const
const optional = ['AUTH_DOMAIN', 'STORAGE_BUCKET', 'MESSAGING_SENDER_ID', 'VAPID_KEY'] as const
const sources = ['embedded', 'firebase'] as const

type Variables = Readonly<Record<string, string | undefined>>

/**
 * The build that these variables ask for; undefined when they name nothing of Firebase. Throws an error that says which are
 * missing.
 */
export function readFirebase(variables: Variables): FirebaseBuild | undefined {
  const of = (name: (typeof always)[number] | (typeof optional)[number]) =>
    variables[prefix + name]?.trim() ?? ''
  const source = variables['VITE_REMOTE_CONFIG']?.trim() || 'embedded'
  if (!(sources as readonly string[]).includes(source)) {
    throw unusable(fill(firebaseTexts.noSource, { sources: sources.join(' o ') }))
  }
  const given = [...always, ...optional].filter((name) => of(name) !== '')
  if (given.length === 0 && source === 'embedded') return undefined
  const missing = always.filter((name) => of(name) === '')
  // Either both or none: the one is no use without the other.
  if (of('VAPID_KEY') !== '' && of('MESSAGING_SENDER_ID') === '') {
    throw unusable(fill(firebaseTexts.halves, { names: `${prefix}MESSAGING_SENDER_ID` }))
  }
  if (missing.length > 0) {
    const names = missing.map((name) => prefix + name)
    throw unusable(fill(firebaseTexts.halves, { names: names.join(', ') }))
  }
  return {
    options: {
      apiKey: of('API_KEY'),
      projectId: of('PROJECT_ID'),
      appId: of('APP_ID'),
      ...(of('AUTH_DOMAIN') && { authDomain: of('AUTH_DOMAIN') }),
      ...(of('STORAGE_BUCKET') && { storageBucket: of('STORAGE_BUCKET') }),
      ...(of('MESSAGING_SENDER_ID') && { messagingSenderId: of('MESSAGING_SENDER_ID') }),
    },
    vapidKey: of('VAPID_KEY'),
    services: [
      ...(of('VAPID_KEY') ? (['push'] as const) : []),
      ...(of('STORAGE_BUCKET') ? (['images'] as const) : []),
      ...(source === 'firebase' ? (['config'] as const) : []),
    ],
  }
}

/** Whoever builds reads the whole error: it is the sentence alone. */
function unusable(sentence: string): Error {
  const error = new Error(sentence)
  error.stack = sentence
  return error
}
