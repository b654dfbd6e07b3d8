import { spawn, spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import * as dbusNative from '@homebridge/dbus-native'

/** What a desktop would show. */
interface ShownNotification {
  readonly id: number
  readonly title: string
  readonly body: string
}

/** The desktop's part of notifications on a bus of its own: browsers show theirs here, and a press goes back to them. */
export interface NotificationDaemon {
  /** What makes a browser use it. */
  readonly env: Readonly<Record<string, string>>
  /** What is on the screen now, oldest first. */
  shown(): readonly ShownNotification[]
  /** Presses one as a person does. */
  press(id: number): void
  close(): void
}

const path = '/org/freedesktop/Notifications'
const name = 'org.freedesktop.Notifications'
const described = {
  name,
  methods: {
    GetCapabilities: ['', 'as'],
    GetServerInformation: ['', 'ssss'],
    Notify: ['susssasa{sv}i', 'u'],
    CloseNotification: ['u', ''],
  },
  signals: { ActionInvoked: ['us'], NotificationClosed: ['uu'] },
}

/** The part of the package that is used here; its own types leave it out. */
interface DBus {
  sessionBus(options: { readonly busAddress: string }): Bus
}
interface Bus {
  readonly connection: { end(): void }
  exportInterface(object: EventEmitter, path: string, described: object): void
  requestName(name: string, flags: number, done: (error: unknown) => void): void
}

/** Whether this machine has the bus that desktops use; on Debian the package `dbus-daemon` brings it. */
export function hasBus(): boolean {
  return spawnSync('dbus-daemon', ['--version']).status === 0
}

export async function openNotificationDaemon(): Promise<NotificationDaemon> {
  const args = ['--session', '--nofork', '--print-address=1']
  const process = spawn('dbus-daemon', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = (await once(process.stdout, 'data')) as [Buffer]
  const address = line.toString().trim()
  const bus = (dbusNative as unknown as { readonly default: DBus }).default.sessionBus({
    busAddress: address,
  })
  const shown = new Map<number, ShownNotification>()
  const desktop = desktopOf(shown)
  bus.exportInterface(desktop, path, described)
  await new Promise<void>((resolve, reject) => {
    bus.requestName(name, 0, (error) => {
      if (error) reject(new Error('the name on the bus is taken', { cause: error }))
      else resolve()
    })
  })
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: address },
    shown: () => [...shown.values()],
    press: (id) => void desktop.emit('ActionInvoked', id, 'default'),
    close: () => {
      bus.connection.end()
      process.kill()
    },
  }
}

/** The calls that browsers make, under the names the bus knows. */
function desktopOf(shown: Map<number, ShownNotification>): EventEmitter {
  const desktop = new EventEmitter()
  let last = 0
  return Object.assign(desktop, {
    GetCapabilities: () => ['actions', 'body', 'persistence'],
    GetServerInformation: () => ['stand-in', 'test', '1.0', '1.2'],
    Notify: (...call: readonly unknown[]) => {
      const [, replaced, , title, body] = call
      const id = Number(replaced) || ++last
      shown.set(id, { id, title: String(title), body: String(body) })
      return id
    },
    CloseNotification: (id: number) => {
      shown.delete(id)
      desktop.emit('NotificationClosed', id, 3)
    },
  })
}
