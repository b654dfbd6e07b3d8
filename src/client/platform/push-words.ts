import { parsePushWord, pushTaken, type PushWord } from '#contract/push-word.ts'

/** Whether the page does what a word wishes; told to the worker, which else finds another way. */
type OnWord = (word: PushWord) => boolean

/** Listens to what the worker tells of notifications, from now on. */
export function onPushWord(listener: OnWord): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<unknown>) => {
    const word = parsePushWord(data)
    if (word && listener(word)) ports[0]?.postMessage(pushTaken)
  })
}
