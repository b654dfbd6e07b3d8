import { project } from './account.ts'

interface GoogleCall {
  readonly method: string
  readonly host: string
  /** With its query. */
  readonly path: string
  readonly headers: Headers
}

interface Failure {
  readonly when: (call: GoogleCall) => boolean
  readonly answer: () => Response
}

/** What Google's hosts know of the project, and what they were asked. */
export interface GoogleState {
  /** Every call but the browser's preflights. */
  readonly calls: GoogleCall[]
  /** Answers that replace the next matching call's own, once each. */
  readonly failures: Failure[]
  /** Installation id → the secrets it answers with. */
  readonly installations: Map<string, { token: string; refreshToken: string }>
  /** Installation id → where its browser is reached. */
  readonly registrations: Map<string, Registration>
  readonly sent: FcmMessage[]
  /** Brings a message to the browser; false when it cannot be reached any more. */
  deliver: (registration: Registration, message: FcmMessage) => Promise<boolean>
  readonly accessTokens: Set<string>
  config: { readonly version: number; readonly entries: Readonly<Record<string, string>> }
  /** Open pages that are told of a new version. */
  readonly listeners: Set<(version: number) => void>
  readonly files: Map<string, StoredFile>
}

/** A browser's subscription as Firebase keeps it. */
export interface Registration {
  readonly endpoint: string
  readonly auth: string
  readonly p256dh: string
  readonly applicationPubKey?: string
}

/** A message as the server hands it in. */
export interface FcmMessage {
  readonly fid?: string
  readonly data?: Readonly<Record<string, string>>
  readonly webpush?: { readonly headers?: Readonly<Record<string, string>> }
}

export interface StoredFile {
  readonly name: string
  readonly bytes: Buffer
  readonly contentType: string
  readonly cacheControl: string | undefined
  readonly generation: string
  readonly token: string
}

/** A refusal as all of Google's services word it. */
export function googleError(
  code: number,
  status: string,
  details: readonly object[] = [],
): Response {
  const error = { code, message: status, status, ...(details.length > 0 && { details }) }
  return Response.json({ error }, { status: code })
}

/** The refusal of a call without the project's key, undefined for one that has it. */
export function withoutKey(request: Request): Response | undefined {
  const key = request.headers.get('x-goog-api-key') ?? new URL(request.url).searchParams.get('key')
  return key === project.apiKey ? undefined : googleError(400, 'INVALID_ARGUMENT')
}
