import type { FormerPictures } from './catalogue.ts'

/** One upload as it arrives: nothing of it has been read yet. */
export interface ImageUpload {
  /** The storage folder, such as `Project`. */
  readonly type: string
  /** The storage name, such as `New/exp_<uuid>`; kept as a second address of the picture. */
  readonly name: string
  readonly body: ReadableStream<Uint8Array>
  /** The media type the sender states. */
  readonly declaredType?: string
  /** The file's own name, when the sender tells it: its ending must agree with the bytes. */
  readonly fileName?: string
  /** The body's length in bytes, when the sender states it. */
  readonly length?: number
  /** The largest body taken, in bytes, where it is less than the hard limit. */
  readonly maxBytes?: number
}

/** A stored file, ready to be sent. */
export interface OpenedImage {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
}

/** Where uploaded pictures are kept, under names that follow from their content. */
export interface ImageStore {
  /** Keeps a picture and answers its address once it is on disk; the same bytes again are not `created`. Throws `Problem`. */
  put(upload: ImageUpload): Promise<{ readonly url: string; readonly created: boolean }>
  /** The file of this name, or undefined when there never was one. Throws `Problem` when it ought to be here. */
  open(file: string): Promise<OpenedImage | undefined>
  /** The address of the picture behind a storage key such as `Project/project_7`. */
  resolveAlias(key: string): Promise<string | undefined>
  /** How many bytes each of these entries would free, if it were deleted for good, by its id. */
  weighRemovable(deleted: readonly FormerPictures[]): Promise<(id: string) => number>
  /** Removes at once those pictures of an entry that was deleted for good which nothing else shows. */
  removeUnshown(former: FormerPictures): Promise<void>
  /** Marks pictures that nothing refers to and deletes those marked long ago, with left-over temporary files. */
  sweep(): Promise<void>
}
