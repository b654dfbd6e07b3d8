import sharp from 'sharp'
import { createRequire } from 'node:module'
import type { SiteData } from '#contract/api.ts'
import { resumeOf } from '#contract/resume/resume.ts'
import { maxImagePixels } from '#contract/limits.ts'
import type { Statics } from '../edge/static.ts'
import type { ImageStore } from '../images/store.ts'
import type { Log } from '../log.ts'
import { createSerialQueue } from '../serial-queue.ts'
import { createThread, threadFile } from '../thread.ts'
import { cvContent } from './cv-content.ts'
import type { CvOrder } from './draw-cv.ts'

/** The CV of what a site shows, as a PDF; the résumé inside names `address` in place of where the site runs. */
export type CvPdf = (site: SiteData, date: Date, address?: string) => Promise<Buffer>

interface CvPdfOptions {
  readonly images: Pick<ImageStore, 'open'>
  readonly statics: Pick<Statics, 'find'>
  readonly publicUrl: string
  readonly log: Log
}

/** After a drawing that failed none is tried for so long: strangers ask for it as often as they like. */
const restMs = 60_000

/** What draws the CV, in a thread of its own; undefined where the optional library is not installed. */
export function createCvPdf(options: CvPdfOptions): CvPdf | undefined {
  if (!isInstalled()) return undefined
  const inTurn = createSerialQueue()
  const photoOf = keepPhoto(options)
  const draw = createThread<Uint8Array>(threadFile('cv-worker', import.meta.url), {
    withinMs: 30_000,
    memoryMb: 192,
  })
  let failed: { readonly at: number; readonly error: unknown } | undefined
  return async (site, date, address) => {
    if (failed && performance.now() - failed.at < restMs) throw failed.error
    const publicUrl = address ?? options.publicUrl
    const order: CvOrder = {
      content: cvContent(site),
      photo: await photoOf(site),
      resume: JSON.stringify(resumeOf(site, { publicUrl }), null, 2),
      date,
    }
    try {
      return await inTurn(async () => Buffer.from(await draw(order)))
    } catch (error) {
      failed = { at: performance.now(), error }
      throw error
    }
  }
}

function isInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('pdfkit')
    return true
  } catch {
    return false
  }
}

/**
 * Her picture where it lies with the site; a CV without one is better than none. The last is kept, since cutting it is a third
 * of the work of a CV and most edits leave it: what is behind an address of the site's never changes.
 */
function keepPhoto({ images, statics, log }: CvPdfOptions) {
  let last: { readonly address: string; readonly photo: Uint8Array } | undefined
  return async ({ person }: SiteData): Promise<Uint8Array | undefined> => {
    const address = person.fields['image'] ?? ''
    if (last?.address === address) return last.photo
    try {
      const bytes = address.startsWith('/media/')
        ? (await images.open(address.slice('/media/'.length)))?.bytes
        : statics.find(address)?.body.plain
      if (!bytes) return undefined
      const photo = await squarePhoto(bytes)
      last = { address, photo }
      return photo
    } catch (error) {
      log('cv-without-photo', { image: address, error: String(error) })
      return undefined
    }
  }
}

const side = 296

/** A picture as a small square JPEG, cut as the CV's page cuts it. */
export async function squarePhoto(bytes: Uint8Array): Promise<Uint8Array> {
  const { data, info } = await sharp(bytes, { limitInputPixels: maxImagePixels, pages: 1 })
    .autoOrient()
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  // Cut before it is scaled: a thin picture scaled whole would take gigabytes.
  const edge = Math.min(width, height)
  return sharp(data, { raw: { width, height, channels } })
    .extract({
      left: Math.round((width - edge) / 2),
      top: Math.round((height - edge) * 0.42),
      width: edge,
      height: edge,
    })
    .resize(side, side)
    .jpeg({ quality: 80, mozjpeg: true })
    .toBuffer()
}
