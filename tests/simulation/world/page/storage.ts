import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'

/** What of a browser's database a device needs; each device runs a copy of its own. */
export const storage = { openDisk: () => new IDBFactory(), keyRange: IDBKeyRange }
