/**
 * Keeps the screen on until the returned function is called. A browser takes the lock back when the page is covered,
 * and refuses it while the battery is low; the screen then goes dark as usual.
 */
export function keepAwake(onChange: (isAwake: boolean) => void): () => void {
  let lock: WakeLockSentinel | undefined
  let isOver = false
  const ask = async () => {
    if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return
    if (lock && !lock.released) return
    const given = await navigator.wakeLock.request('screen').catch(() => undefined)
    if (!given) return
    if (isOver) return given.release()
    lock = given
    given.addEventListener('release', () => onChange(false))
    onChange(true)
  }
  const askAgain = () => void ask()
  document.addEventListener('visibilitychange', askAgain)
  askAgain()
  return () => {
    isOver = true
    document.removeEventListener('visibilitychange', askAgain)
    void lock?.release()
  }
}
