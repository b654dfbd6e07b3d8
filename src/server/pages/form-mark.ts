import { ownHeader } from '#contract/api.ts'
import { contactSheet } from '#contract/page-heads.ts'
import { formMarkParameter } from '#contract/messages/form-mark.ts'
import type { HeaderList, SecurityHeaders } from '../edge/security-headers.ts'
import { storeAnswer, tagOf, type StoredAnswer } from '../edge/stored-answer.ts'

export const contactPath = '/contact'

/** All readers get one mark for so long, in milliseconds: a robot that sends its form at once must not seem older. */
const sameMarkMs = 1000

interface MarkOptions {
  readonly headers: SecurityHeaders
  /** The mark that later tells when the form was drawn. */
  newMark(): string
  readonly now: () => Date
}

/** Compressing the page for each reader would cost fifty times the page. */
export function createMarked({ headers, newMark, now }: MarkOptions) {
  let last:
    | { readonly of: StoredAnswer; readonly at: number; readonly page: StoredAnswer }
    | undefined
  return (of: StoredAnswer): StoredAnswer => {
    const at = now().getTime()
    if (last?.of === of && Math.abs(at - last.at) < sameMarkMs) return last.page
    const answer = storeAnswer({
      status: of.status,
      headers: [...htmlHeaders(headers.page(contactSheet), 'no-cache'), ownHeader, '1'],
      body: Buffer.from(markForm(of.body.plain.toString(), newMark())),
      // By which devices know that the page says the same, whatever its mark.
      etag: of.etag,
      compressible: true,
    })
    // No reader's copy is current, since its mark is not: this tag is one that nobody holds.
    const page = { ...answer, etag: tagOf(answer.body.plain) }
    last = { of, at, page }
    return page
  }
}

/** Puts the mark into the address that the form posts to; with JavaScript that address is not used. */
export function markForm(html: string, mark: string): string {
  if (mark === '') return html
  const marked = `action="${contactPath}?${formMarkParameter}=${encodeURIComponent(mark)}"`
  return html.replace(`action="${contactPath}"`, () => marked)
}

/** `page` is what `SecurityHeaders.page` gives, `caching` the value of `Cache-Control`. */
export function htmlHeaders(page: HeaderList, caching: string): HeaderList {
  return [...page, 'Content-Type', 'text/html; charset=utf-8', 'Cache-Control', caching]
}
