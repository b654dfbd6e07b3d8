import { locale } from '#contract/text.ts'
import type { CvContent } from './cv-content.ts'
import { CvSheet } from './cv-sheet.ts'
import type { Faces, Style } from './lettering.ts'

/** All that one CV is drawn from. */
export interface CvOrder {
  readonly content: CvContent
  /** A square JPEG. */
  readonly photo: Uint8Array | undefined
  /** The JSON that travels in the file. */
  readonly resume: string
  readonly date: Date
}

const mm = 72 / 25.4
const ink = '#002540'
const accent = '#005f61'
const style = (
  face: Style['face'],
  size: number,
  { colour = ink, leading = 1.4 }: { readonly colour?: string; readonly leading?: number } = {},
): Style => ({ face, size, colour, leading: size * leading })

const styles = {
  name: style('strong', 26, { leading: 1.1 }),
  headline: style('mono', 11, { colour: accent }),
  ways: style('text', 8.6, { colour: '#324b5e', leading: 1.5 }),
  summary: style('text', 10, { leading: 1.42 }),
  part: style('mono', 10, { colour: accent }),
  title: style('strong', 10.4),
  duration: style('mono', 8, { colour: '#4f6879' }),
  underTitle: style('text', 9.2, { colour: '#324b5e' }),
  body: style('text', 9.6, { colour: '#1d3a50' }),
  links: style('text', 8.6, { colour: accent }),
  names: style('text', 9.6),
}
const photoSize = 25 * mm

/** The CV as a tagged PDF that carries its own data. */
export async function drawCv(
  { content, photo, resume, date }: CvOrder,
  faces: Faces,
): Promise<Uint8Array> {
  const { title, name, parts } = content
  const sheet = new CvSheet({ title, author: name, lang: locale, date, faces })
  drawHead(sheet, content, photo)
  for (const part of parts) drawPart(sheet, part)
  sheet.document.file(Buffer.from(resume), {
    name: 'resume.json',
    type: 'application/json',
    description: 'JSON Resume',
    relationship: 'Source',
    creationDate: date,
    modifiedDate: date,
  })
  return sheet.bytes()
}

function drawHead(
  sheet: CvSheet,
  { name, headline, portrait, ways, summary }: CvContent,
  photo: Uint8Array | undefined,
): void {
  const { left, right, y: begin } = sheet
  const place = { x: left, width: right - left - (photo ? photoSize + 8 * mm : 0) }
  const head = sheet.part()
  sheet.text(head, { as: 'H1', text: name }, styles.name, place)
  sheet.y += 1.6 * mm
  if (headline) sheet.text(head, { as: 'P', text: headline }, styles.headline, place)
  sheet.y += 1.4 * mm
  if (ways.length > 0) sheet.pieces(head, ways, styles.ways, place)
  if (photo) {
    const at = { x: right - photoSize, y: begin, size: photoSize }
    sheet.picture(photo, portrait, at)
    sheet.y = Math.max(sheet.y, begin + photoSize)
  }
  sheet.y += 4.5 * mm
  drawLine(sheet, 0.6 * mm, ink)
  sheet.y += 4.5 * mm
  for (const paragraph of summary) {
    sheet.text(head, { as: 'P', text: paragraph }, styles.summary)
    sheet.y += 1 * mm
  }
  head.end()
}

function drawLine(sheet: CvSheet, height: number, colour: string): void {
  const { left, right, y } = sheet
  sheet.decorate(() => sheet.document.rect(left, y, right - left, height).fill(colour))
}

function drawPart(sheet: CvSheet, { title, entries, names }: CvContent['parts'][number]): void {
  // Its heading never stands alone at the foot of a page.
  sheet.need(24 * mm)
  sheet.y += 3 * mm
  drawLine(sheet, 0.2 * mm, '#b9cacd')
  sheet.y += 2.6 * mm
  const part = sheet.part()
  sheet.text(part, { as: 'H2', text: title }, styles.part)
  sheet.y += 1 * mm
  if (names.length > 0) sheet.text(part, { as: 'P', text: names.join(' · ') }, styles.names)
  for (const entry of entries) drawEntry(sheet, part, entry)
  part.end()
}

function drawEntry(
  sheet: CvSheet,
  part: Parameters<CvSheet['text']>[0],
  { title, duration, underTitle, body, links }: CvContent['parts'][number]['entries'][number],
): void {
  const { lettering, left, right } = sheet
  const whole = right - left
  const own = lettering.width(duration, styles.duration)
  const last = lettering.lines(title, styles.title, whole).at(-1) ?? ''
  const end = lettering.width(last, styles.title) + 2.5 * mm
  sheet.need(styles.title.leading + styles.underTitle.leading + 2 * styles.body.leading)
  sheet.text(part, { as: 'H3', text: title }, styles.title)
  // At the right edge, programs that read the page would take it for a column of its own.
  if (last !== '' && duration !== '' && end + own <= whole) {
    sheet.behind(part, duration, styles.duration, { x: left + end, line: styles.title })
  } else if (duration) sheet.text(part, { as: 'P', text: duration }, styles.duration)
  if (underTitle) sheet.text(part, { as: 'P', text: underTitle }, styles.underTitle)
  for (const paragraph of body) sheet.text(part, { as: 'P', text: paragraph }, styles.body)
  if (links.length > 0) sheet.pieces(part, links, styles.links)
  sheet.y += 2.2 * mm
}
