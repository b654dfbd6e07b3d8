import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Keeps the page when files are let go anywhere on it, where a browser would go and show them instead. `onFiles` gets them, while
 * there is any; returns whether such files are over the page.
 */
export function useDroppedFiles(onFiles: ((files: readonly File[]) => void) | undefined): boolean {
  const [isOver, setOver] = useState(false)
  const drag = useEffectEvent((event: DragEvent) => {
    const { dataTransfer: carried } = event
    if (event.defaultPrevented || !carried?.types.includes('Files')) return
    event.preventDefault()
    if (!onFiles) carried.dropEffect = 'none'
    setOver(onFiles !== undefined && event.type === 'dragover')
    if (event.type === 'drop') onFiles?.([...carried.files])
  })
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    addEventListener('dragover', drag, { signal })
    addEventListener('drop', drag, { signal })
    // What is dragged from part to part of the page leaves the one for the other.
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false)
    }
    addEventListener('dragleave', leave, { signal })
    return () => listening.abort()
  }, [])
  return isOver && onFiles !== undefined
}
