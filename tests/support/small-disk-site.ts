import { test as base } from './browser.ts'
import { openSite } from './site.ts'
import { openSmallDisk, type SmallDisk } from './small-disk.ts'

/** The product's test on a site whose data lies on a disk that is soon full. */
export const test = base.extend<{ readonly disk: SmallDisk }>({
  disk: async ({}, provide) => {
    const undo: (() => void)[] = []
    await provide(openSmallDisk(96, (close) => undo.push(close)))
    for (const close of undo) close()
  },
  site: async ({ disk }, provide) => {
    const site = await openSite({ env: { DATA_DIR: disk.folder } })
    await provide(site)
    await site.close()
  },
})
