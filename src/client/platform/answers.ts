type Listener = (path: string, isCopy: boolean) => void

let listener: Listener = () => undefined

/** Tells whoever follows that the API answered for a path, itself or through the device's copy. */
export const noteAnswer: Listener = (path, isCopy) => listener(path, isCopy)

/** Follows the API's answers from now on, instead of whoever did before. */
export function onAnswer(next: Listener): void {
  listener = next
}
