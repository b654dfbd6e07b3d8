import { spawnSync } from 'node:child_process'

/** Tells a process and those that it has started; itself first: frozen or killed before them, it can start no more. */
export function signalAll(pid: number, name: NodeJS.Signals): void {
  const listed = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  for (const each of [pid, ...listed.stdout.split('\n').map(Number).filter(Boolean)]) {
    sendSignal(each, name)
  }
}

/** A process that has ended since it was listed needs none: the first that goes on takes away those that ended meanwhile. */
function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
