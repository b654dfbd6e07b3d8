import { useEffect, useState } from 'react'

/** In milliseconds since 1970, renewed while the component is on screen: each minute, which is enough for times in words, or at this pace. */
export function useNow(everyMs = 60_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
