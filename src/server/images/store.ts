import type { FormerPictures } from './catalogue.ts'

/** Its body has not been read yet. */
export interface ImageUpload {
  /** The storage folder, such as `Project`. */
  readonly type: string
  /** The storage name, such as `New/exp_<uuid>`; kept as a second address of the picture. */
  readonly name: string
  readonly body: ReadableStream<Uint8Array>
  /** The media type that the sender states. */
  readonly declaredType?: string
  /** The file's own name, when the sender tells it: its ending must agree with the bytes. */
  readonly fileName?: string
  /** The body's length in bytes, when the sender states it. */
  readonly length?: number
  /** The largest body taken, in bytes, where it is less than the hard limit. */
  readonly maxBytes?: number
  /** Called once the body is here; throws when nothing of its sender is to be kept any more. */
  readonly assertSender?: () => Promise<void>
}

export interface OpenedImage {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
}

/** The names of the files follow from their content. */
export interface ImageStore {
  /** Resolves to the address once the picture is on disk; the same bytes again are not `created`. Throws `Problem`. */
  put(upload: ImageUpload): Promise<{ readonly url: string; readonly created: boolean }>
  /** Undefined when there never was such a file. Throws `Problem` when a listed file is missing here. */
  open(file: string): Promise<OpenedImage | undefined>
  /** Whether a listed picture has such a file, and all others are there as well. */
  isThere(file: string): Promise<boolean>
  /** Takes a storage key such as `Project/project_7`. */
  resolveAlias(key: string): Promise<string | undefined>
  /** Resolves to a function from an entry's id to the bytes that deleting it for good would free at once. */
  weighRemovable(deleted: readonly FormerPictures[]): Promise<(id: string) => number>
  /**
   * Removes at once those pictures of the deleted entry that nothing else shows; where another database may still show them,
   * nobody is served them any more, and their files go once its days are over.
   */
  removeUnshown(former: FormerPictures): Promise<void>
  /**
   * Marks pictures that nothing refers to and deletes those that were marked long before then, or before now, with left-over
   * temporary files.
   */
  sweep(asOf?: Date): Promise<void>
}
