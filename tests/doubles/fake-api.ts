import { idempotencyHeader } from '#contract/api.ts'
import type { FieldValues } from '#contract/fields.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { problemBody } from '../support/answers.ts'

/** One write that the server carried out, in its own order. */
export interface Applied {
  readonly subject: string
  readonly verb: 'create' | 'update' | 'remove'
  readonly values: FieldValues
}

export interface FakeAnswer {
  readonly status: number
  readonly json: unknown
}

export interface FakeRequest {
  readonly method: string
  /** Below the API's base, without the query. */
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

interface Row {
  readonly version: number
  readonly fields: FieldValues
}

/** What a new entry's versions count from. */
export const firstVersion = 701

/** The texts that this server says no to. */
const refusedMark = '!'

/**
 * The server's promises about writes in memory: versions, ids chosen by the client, and an answer given again for a known
 * `Idempotency-Key`. Subjects are named `proyect/<id>` and `person`.
 */
export function createFakeApi() {
  const rows = new Map<string, Row>([['person', { version: 1, fields: {} }]])
  const answers = new Map<string, { readonly content: string; readonly answer: FakeAnswer }>()
  const log: Applied[] = []
  const bin = new Set<string>()
  let token = ''

  function receive(request: FakeRequest): FakeAnswer {
    const [what = '', call, id] = request.path.split('/')
    if (request.method === 'GET') return call === 'detail' ? one(what, id) : all(what)
    if (request.headers.get('Authorization') !== `Bearer${token}`) return no('sesion-requerida')
    // The same picture always gets the same address, so sending it again changes nothing.
    if (what === 'image') return { status: 200, json: { url: `/media/${request.body}` } }
    if (request.body.includes(refusedMark)) return no('datos-no-validos')
    return once(request, () =>
      write(what === 'person' ? what : `${what}/${id ?? idIn(request)}`, call, request),
    )
  }

  function once(
    { method, path, headers, body }: FakeRequest,
    effect: () => FakeAnswer,
  ): FakeAnswer {
    const key = headers.get(idempotencyHeader)
    if (key === null) return effect()
    const scope = `${method} ${path} ${key}`
    const content = `${headers.get('If-Match')} ${body}`
    const known = answers.get(scope)
    if (known) {
      return known.content === content
        ? known.answer
        : no('clave-reutilizada', { current: known.answer.json })
    }
    const answer = effect()
    if (answer.status < 400) answers.set(scope, { content, answer })
    return answer
  }

  function write(
    subject: string,
    verb: string | undefined,
    { headers, body }: FakeRequest,
  ): FakeAnswer {
    const row = rows.get(subject)
    const { id: _, ...values } = JSON.parse(body || '{}') as Record<string, string>
    if (verb === 'create') {
      if (bin.has(subject)) return no('no-encontrado')
      return row
        ? no('ya-existe', { current: toJson(subject, row) })
        : put(subject, 'create', { version: firstVersion, values })
    }
    if (!row) return no('no-encontrado')
    const expected = headers.get('If-Match')
    if (expected !== null && expected !== `"v${row.version}"`) {
      return no('version-cambiada', { current: toJson(subject, row) })
    }
    if (verb === 'update') return put(subject, 'update', { version: row.version + 1, values })
    rows.delete(subject)
    log.push({ subject, verb: 'remove', values: {} })
    return { status: 200, json: { mensaje: 'ok' } }
  }

  function put(
    subject: string,
    verb: Applied['verb'],
    { version, values }: { readonly version: number; readonly values: FieldValues },
  ): FakeAnswer {
    const row = { version, fields: { ...rows.get(subject)?.fields, ...values } }
    rows.set(subject, row)
    log.push({ subject, verb, values })
    return { status: verb === 'create' ? 201 : 200, json: toJson(subject, row) }
  }

  function all(what: string): FakeAnswer {
    const found = [...rows].filter(([subject]) => subject.startsWith(what))
    return { status: 200, json: found.map(([subject, row]) => toJson(subject, row)) }
  }

  function one(what: string, id: string | undefined): FakeAnswer {
    const subject = what === 'person' ? what : `${what}/${id}`
    const row = rows.get(subject)
    return row ? { status: 200, json: toJson(subject, row) } : no('no-encontrado')
  }

  return {
    receive,
    log,
    fieldsOf: (subject: string) => rows.get(subject)?.fields,
    subjects: () => [...rows.keys()],
    /** Another device writes a field that the owner's page leaves alone. */
    changeElsewhere: (subject: string, values: FieldValues) => {
      const row = rows.get(subject)
      if (row) rows.set(subject, { version: row.version + 1, fields: { ...row.fields, ...values } })
    },
    /** Another device deletes it: nothing is made under its id any more. */
    removeElsewhere: (subject: string) => {
      rows.delete(subject)
      bin.add(subject)
    },
    /** Ends every session; only this token counts from now on. */
    setToken: (next: string) => {
      token = next
    },
  }
}

export type FakeApi = ReturnType<typeof createFakeApi>

function toJson(subject: string, { version, fields }: Row) {
  const [, id = '1'] = subject.split('/')
  return { id, version, ...fields }
}

function idIn({ body }: FakeRequest): string {
  return String((JSON.parse(body) as { readonly id?: unknown }).id)
}

function no(code: ProblemCode, more: object = {}): FakeAnswer {
  const json = problemBody(code, more)
  return { status: json.status, json }
}
