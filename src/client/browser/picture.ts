import { imageEndings } from '#contract/limits.ts'

/** A refusal says why: a kind that is not taken, no picture at all, or too large even after shrinking. */
type PreparedPicture =
  | { readonly ok: true; readonly file: File }
  | { readonly ok: false; readonly reason: 'wrong' | 'unreadable' | 'big' }

const longestSide = 1600
const typeOf: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** Shrinks a photograph of more than `maxBytes` to 1600 px. */
export async function preparePicture(file: File, maxBytes: number): Promise<PreparedPicture> {
  const type = pictureType(file)
  if (type === undefined) return { ok: false, reason: 'wrong' }
  // What is looked at is what goes: the file on the disk may be another one a moment later.
  const chosen = file.size <= maxBytes ? await inMemory(file, type) : typed(file, type)
  if (!chosen || !(await isPicture(chosen))) return { ok: false, reason: 'unreadable' }
  if (chosen.size <= maxBytes) return { ok: true, file: chosen }
  if (type === 'image/svg+xml') return { ok: false, reason: 'big' }
  const smaller = await shrink(chosen, type)
  return smaller.size <= maxBytes ? { ok: true, file: smaller } : { ok: false, reason: 'big' }
}

/** Whether the browser can draw it: neither an empty file nor one that only has a picture's name can be drawn. */
async function isPicture(file: File): Promise<boolean> {
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    return true
  } catch {
    return false // all that it says is that it could not
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Takes the type from the name's ending, or from the browser for a pasted picture without a name. */
export function pictureType(file: { readonly name: string; readonly type: string }) {
  const name = file.name.toLowerCase()
  const ending = imageEndings.find((candidate) => name.endsWith(candidate))
  if (ending !== undefined) return typeOf[ending]
  return name.includes('.') ? undefined : Object.values(typeOf).find((type) => type === file.type)
}

function typed(file: File, type: string): File {
  return file.type === type ? file : new File([file], file.name, { type })
}

/** What is chosen may leave the disk, or be changed there, before it is sent: no browser reads it then. */
async function inMemory(file: File, type: string): Promise<File | undefined> {
  try {
    return new File([await file.arrayBuffer()], file.name, { type })
  } catch {
    return undefined // it has gone since it was chosen
  }
}

async function shrink(file: File, type: string): Promise<File> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return file // not decodable here: the size check below refuses it
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9))
  return blob === null ? file : new File([blob], file.name, { type })
}
