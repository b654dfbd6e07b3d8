/** Hard cap, in code points, on any text the product stores: texts without a limit of their own stop here. */
export const maxTextLength = 10_000
/** Longest link accepted, in code points. */
export const maxLinkLength = 2_048
/** Longest e-mail address accepted (RFC 5321). */
export const maxEmailLength = 254
/** Largest JSON body the server reads, in bytes. */
export const maxJsonBytes = 64 * 1024
/** Largest image file accepted, in bytes. */
export const maxImageBytes = 10 * 1024 * 1024
/** Largest image accepted, in pixels after decoding its header. */
export const maxImagePixels = 40_000_000
/** Bounds of a new password, in code points: a passphrase is fine. */
export const passwordLength = { min: 12, max: 128 } as const

/** File endings the image picker offers; the server decides by the bytes. */
export const imageEndings = ['.jpg', '.jpeg', '.png', '.svg'] as const
/** Widths, in pixels, at which an uploaded photograph is kept. */
export const imageWidths = [320, 640, 960, 1280] as const

/** The only profile there is. */
export const personId = 1
