let listener: (isCopy: boolean) => void = () => undefined

/** Tells whoever follows that the API answered, itself or through the device's copy. */
export const noteAnswer = (isCopy: boolean): void => listener(isCopy)

/** Follows the API's answers from now on, instead of whoever did before. */
export function onAnswer(next: (isCopy: boolean) => void): void {
  listener = next
}
