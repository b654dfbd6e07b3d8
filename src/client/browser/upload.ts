import { ownHeader } from '#contract/api.ts'
import { createStallTimer } from './stall-timer.ts'

const hasNoBody: ReadonlySet<number> = new Set([204, 205, 304])

/** Like `fetch`, but tells the share that is sent (0 to 1), which `fetch` cannot; gives up when the upload stalls. */
export function uploadWith(onProgress: (share: number) => void) {
  return (url: string, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init.method ?? 'PUT', url)
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
      const stall = createStallTimer(() => request.abort())
      request.addEventListener('loadend', stall.stop)
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        stall.heard()
        onProgress(total === 0 ? 1 : loaded / total)
      })
      request.addEventListener('load', () => resolve(responseOf(request)))
      for (const end of ['error', 'timeout', 'abort']) {
        request.addEventListener(end, () => reject(new TypeError('no answer to the upload')))
      }
      request.send(init.body instanceof Blob ? init.body : null)
    })
}

function responseOf(request: XMLHttpRequest): Response {
  const { status, responseText } = request
  const headers = new Headers()
  for (const name of ['Content-Type', 'Retry-After', ownHeader]) {
    const value = request.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(hasNoBody.has(status) ? null : responseText, { status, headers })
}
