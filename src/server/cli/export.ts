import { resolve } from 'node:path'
import { safeHref } from '#contract/link.ts'
import { copyAddress } from '#contract/site-copy.ts'
import { settingsOf } from '#contract/settings/settings.ts'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { readBuiltWith, readClientBuild } from '../pages/client-build.ts'
import { refusalOf } from '../disk/disk.ts'
import type { Config } from '../config.ts'
import { readSite } from '../db/site-data.ts'
import { contactLink } from '../export/contact-link.ts'
import { mayContainCopy, writeCopy } from '../export/copy-folder.ts'
import { copySite, type SiteCopy } from '../export/site-copy.ts'
import { openPicture } from '../images/kept-images.ts'
import { openPictureFiles } from '../images/picture-files.ts'
import { createTypedTitle } from '../typed-title/typed-title.ts'
import { createCvPdf } from '../resume/cv-pdf.ts'
import type { CommandResult } from './commands.ts'
import { withSite } from './open-site.ts'

export interface ExportWish {
  readonly address?: string | undefined
  readonly contact?: string | undefined
}

/**
 * Writes the site as plain files into a folder that is empty or holds an earlier copy; `address` is where it will be
 * served.
 */
export async function exportSite(
  config: Config,
  name: string,
  { address: chosen, contact: how }: ExportWish,
): Promise<CommandResult> {
  const folder = resolve(name)
  const address = chosen === undefined ? config.publicUrl : addressOf(chosen)
  if (address === undefined) return wrong(fill(cliTexts.noAddress, { address: chosen ?? '' }))
  const isFree = await orNotWritten(folder, mayContainCopy(folder))
  if (!isFree) return wrong(fill(cliTexts.folderTaken, { folder }))
  const site = await withSite(config.database, readSite)
  const { publicUrl } = config
  const { email } = settingsOf(site.settings)
  const contact = chooseContact(how, { email, publicUrl })
  if (contact === 'impossible') return wrong(fill(cliTexts.noContact, { how: how ?? '' }))
  const { drawing, statics } = await readClientBuild(config, await readBuiltWith())
  const pictures = openPictureFiles(config)
  const images = { open: (file: string) => openPicture(pictures, file) }
  const drawCv = createCvPdf({ images, statics, publicUrl: address, log: () => undefined })
  const sources = { drawing, statics, pictures, drawCv, typedTitle: createTypedTitle() }
  const wish = { address, isChosen: chosen !== undefined, contact }
  const { files, missing, unread, cvFailure } = await copySite(site, sources, wish)
  await orNotWritten(folder, writeCopy(folder, files))
  const done = fill(cliTexts.exported, { n: files.length, folder })
  const lacks = [
    ...(missing.length > 0
      ? [fill(cliTexts.exportLacks, { n: missing.length, names: missing.join(', ') })]
      : []),
    ...unreadLines(unread),
    ...(cvFailure === undefined
      ? []
      : [fill(cliTexts.exportLacksCv, { message: cvFailure.message.split('\n')[0] ?? '' })]),
  ]
  return lacks.length === 0 ? { code: 0, lines: [done] } : wrong(done, ...lacks)
}

function unreadLines(unread: SiteCopy['unread']): readonly string[] {
  const [first] = unread
  if (!first) return []
  const names = unread.map(({ address }) => address).join(', ')
  return [fill(cliTexts.exportUnread, { names, message: refusalOf(first.error) })]
}

/** What was asked of the folder. Throws in a sentence for a person. */
async function orNotWritten<T>(folder: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const message = refusalOf(error)
    throw new Error(fill(cliTexts.notWritten, { folder, message }), { cause: error })
  }
}

const wrong = (...lines: readonly string[]): CommandResult => ({ code: 1, lines })

/** The address without a final slash; undefined for one that a site cannot be at. */
function addressOf(text: string): string | undefined {
  return safeHref(text) === text ? copyAddress(text) : undefined
}

function chooseContact(...[how, known]: Parameters<typeof contactLink>) {
  try {
    return contactLink(how, known)
  } catch (error) {
    if (error instanceof RangeError) return 'impossible'
    throw error
  }
}
