/** What a file's text is in: UTF-16 where its mark says so, as some consoles write what a program prints to them. */
export function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** Whether the bytes begin as JSON does in every encoding that has ASCII in it. */
export function beginsAsJson(bytes: Uint8Array): boolean {
  return /^\s*[[{]/.test(String.fromCodePoint(...bytes.subarray(0, 64)))
}
