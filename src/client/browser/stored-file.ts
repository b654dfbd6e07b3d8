/** A file as IndexedDB keeps it in every browser: in WebKit's private windows a write with a Blob in it never ends. */
export interface StoredFile {
  readonly bytes: ArrayBuffer
  readonly type: string
  readonly name: string
}

/** A file in the shape that the device's database keeps. */
export async function toStored(file: Blob): Promise<StoredFile> {
  const name = file instanceof File ? file.name : ''
  return { bytes: await file.arrayBuffer(), type: file.type, name }
}

/** Takes a Blob too, because an earlier version kept files as they are; undefined for anything else. */
export function fromStored(value: unknown): Blob | undefined {
  if (value instanceof Blob) return value
  if (!isStored(value)) return undefined
  return new File([value.bytes], value.name, { type: value.type })
}

/** Whether the browser has lost a kept value for good, by the name that Chromium gives it now, or gave it before. */
export function isLost(cause: unknown): boolean {
  return cause instanceof DOMException && ['NotReadableError', 'DataError'].includes(cause.name)
}

function isStored(value: unknown): value is StoredFile {
  return typeof value === 'object' && value !== null && 'bytes' in value && 'type' in value
}
