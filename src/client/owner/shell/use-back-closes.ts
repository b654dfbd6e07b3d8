import { useBlocker } from '@tanstack/react-router'

/** Back and Forward close the sheet that lies over the page, and leave the page where it is. */
export function useBackCloses(onClose: () => void): void {
  useBlocker({
    shouldBlockFn: ({ action }) => {
      const isForSheet = isSheetsBack(action)
      if (isForSheet) onClose()
      return isForSheet
    },
    enableBeforeUnload: false,
  })
}

/** Whether it is Back or Forward and a sheet lies over the page: a link inside one leads elsewhere, and has closed it. */
export function isSheetsBack(action: string): boolean {
  return !['PUSH', 'REPLACE'].includes(action) && document.querySelector('dialog.sheet') !== null
}
