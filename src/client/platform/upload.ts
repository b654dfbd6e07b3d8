import { watchSilence } from './silence.ts'

/**
 * Like `fetch` for sending a file, telling on the way how much of it is up (0 to 1): fetch itself cannot.
 * Given up when the line stands still.
 */
export function uploadWith(onProgress: (share: number) => void) {
  return (url: string, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init.method ?? 'PUT', url)
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
      const silence = watchSilence(() => request.abort())
      request.addEventListener('loadend', silence.stop)
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        silence.heard()
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
  const type = request.getResponseHeader('Content-Type')
  const retryAfter = request.getResponseHeader('Retry-After')
  return new Response(request.responseText, {
    status: request.status,
    headers: {
      ...(type === null ? {} : { 'Content-Type': type }),
      ...(retryAfter === null ? {} : { 'Retry-After': retryAfter }),
    },
  })
}
