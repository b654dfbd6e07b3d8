import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { imageLimit } from '#contract/settings/kinds.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { hasShape, type Framing } from '#client/browser/crop.ts'
import { preparePicture } from '#client/browser/picture.ts'
import { useSettings } from '#client/data/overlay.ts'
import { settingsQuery } from '#client/data/queries.ts'
import {
  framePicture,
  useStoredPicture,
  wholePicture,
  type FramedPicture,
} from './framed-picture.ts'

/** A chosen file that cannot be sent. */
export interface RefusedPicture {
  readonly file: File
  readonly why: string
  /**
   * A refusal by the server may be taken back, as when the rules of a Firebase project are mended; this device's own
   * finding stays.
   */
  readonly byServer?: boolean
}

/** The outcome of the file chosen last. */
type Picked = { readonly picture: File } | { readonly refused: RefusedPicture } | undefined

interface PictureChoiceOptions {
  /** Where the choice goes once it can be sent. */
  readonly draft: {
    readonly picture?: FramedPicture | undefined
    readonly choose: (framed: FramedPicture) => void
    readonly reframe: (framed: FramedPicture) => boolean
  }
  /** The address of the picture in the form; empty for none. */
  readonly address: string
  readonly frame: number | undefined
  readonly setReading: (isReading: boolean) => void
  /** Says at the picture's field what is wrong with it; undefined for nothing. */
  readonly setError: (error: string | undefined) => void
}

/** Reads and cuts the picture that is chosen in a form, and knows why one cannot be sent. */
export function usePictureChoice(options: PictureChoiceOptions) {
  const { draft, address, frame, setReading, setError } = options
  const [refused, setRefused] = useState<RefusedPicture>()
  // A submit waits for the choice under way, and sends its outcome.
  const picking = useRef<Promise<Picked>>(Promise.resolve(undefined))
  // A newer choice or removal must not be overtaken by an earlier one.
  const turn = useRef(0)
  // The position chosen, before the picture is cut there.
  const [movedTo, setMovedTo] = useState<number>()
  const storedPicture = useStoredPicture(address, frame)
  const settings = useSettings(useQuery(settingsQuery).data) ?? defaultSettings

  const refuse = (next: RefusedPicture) => {
    setRefused(next)
    setError(next.why)
  }

  const forget = () => {
    turn.current++
    setReading(false)
    setMovedTo(undefined)
    picking.current = Promise.resolve(undefined)
    setRefused(undefined)
  }

  const take = async (file: File): Promise<Picked> => {
    const mine = ++turn.current
    const prepared = await preparePicture(file, imageLimit(settings))
    if (prepared.ok) {
      const chosen = await wholePicture(prepared.file)
      if (mine !== turn.current) return picking.current
      draft.choose(chosen)
      setMovedTo(undefined)
      setRefused(undefined)
      setError(undefined)
      return { picture: chosen.file }
    }
    if (mine !== turn.current) return picking.current
    const reasons = {
      wrong: ownerTexts.wrongImage,
      unreadable: ownerTexts.unreadableImage,
      big: fill(ownerTexts.bigImage, { n: settings.max_image_mb }),
    }
    const next = { file, why: reasons[prepared.reason] }
    refuse(next)
    return { refused: next }
  }

  const cut = (whole: File, framing: Framing) => {
    const mine = turn.current
    setMovedTo(framing.at)
    // The cuts run one after the other, so that the last one stays.
    picking.current = picking.current.then(async (before) => {
      const part = await framePicture(whole, framing)
      const isCut = part && mine === turn.current && draft.reframe(part)
      setMovedTo((now) => (now === framing.at ? undefined : now))
      return isCut ? { picture: part.file } : before
    })
  }

  const framed = draft.picture ?? storedPicture
  const isFramed = frame !== undefined && framed?.size && !hasShape(framed.size, frame)

  return {
    refused,
    refuse,
    /** Whether a position is chosen at which the picture is not cut yet. */
    isMoving: movedTo !== undefined,
    /** Forgets the choice, but not what is wrong with it. */
    forget,
    /** A choice or cut under way must not replace the form's new picture. */
    drop: () => {
      forget()
      setError(undefined)
    },
    pick: async (file: File) => {
      picking.current = take(file)
      const mine = turn.current
      setReading(true)
      await picking.current
      if (mine === turn.current) setReading(false)
    },
    /** What is to be sent, once the choice under way is read or cut. */
    outcome: async () => (await picking.current) ?? { picture: draft.picture?.file, refused },
    /** The visible part of the picture, from 0 to 1; absent where nothing can be cut off. */
    framing: isFramed
      ? {
          at: movedTo ?? draft.picture?.framing?.at ?? 0.5,
          onChange: (at: number) => cut(framed.whole, { ratio: frame, at }),
        }
      : undefined,
  }
}
