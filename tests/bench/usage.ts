import type { ChildProcess } from 'node:child_process'
import { within } from '#tests/support/within.ts'

/** What a process has used since it started, and holds now. */
export interface Usage {
  readonly cpuMicroseconds: number
  readonly rssBytes: number
}

/* Plain JavaScript in an address: a TypeScript file would load Node's compiler into the measured process, which is 40 MB. */
const reporter = `
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send({ cpuMicroseconds: user + system, rssBytes: process.memoryUsage.rss() })
})
process.channel.unref()
`

/** Arguments for Node that make a child with an IPC channel answer `readUsage`. */
export const reportingUsage = ['--import', `data:text/javascript,${encodeURIComponent(reporter)}`]

export function readUsage(child: ChildProcess): Promise<Usage> {
  const answered = new Promise<Usage>((resolve) => {
    child.once('message', (usage) => resolve(usage as Usage))
    child.send('usage')
  })
  return within(60, 'what a process has used', answered)
}
