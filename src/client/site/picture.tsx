import { imageSource } from '#contract/images/image.ts'

interface PictureProps {
  /** A stored picture's address; empty when there is none yet. */
  readonly address: string | undefined
  readonly placeholder: string
  readonly alt: string
  readonly title?: string
  readonly className?: string
  /** How wide it is drawn, as in the HTML attribute. */
  readonly sizes: string
  /**
   * `first`: the largest picture in sight, fetched before anything else. `soon`: visible at once. Absent: fetched when
   * scrolled to.
   */
  readonly load?: 'first' | 'soon' | undefined
  /** Drawn size in pixels, for pictures the address tells no size of. */
  readonly box: readonly [width: number, height: number]
}

/** Its size is known beforehand, so that nothing moves when it arrives. */
export function Picture(props: PictureProps) {
  const { address, placeholder, alt, sizes, load, box, ...rest } = props
  const { src, srcSet, width, height } = imageSource(address || placeholder)
  return (
    <img
      {...rest}
      alt={alt}
      // The loading rule stands before the address: some browsers start fetching on seeing `src`.
      loading={load ? 'eager' : 'lazy'}
      // Low for the others, or React announces every one of them ahead of the page's own text.
      fetchPriority={load && (load === 'first' ? 'high' : 'low')}
      decoding={load ? undefined : 'async'}
      sizes={srcSet ? sizes : undefined}
      srcSet={srcSet}
      src={src}
      width={width ?? box[0]}
      height={height ?? box[1]}
    />
  )
}
