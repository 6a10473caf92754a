import { randomBytes } from 'node:crypto'
import { memoryBlobs, memoryBus, memoryStore, systemClock } from '@svc/host'
import type { DataPorts } from './data-folder.ts'

/** Data in memory that outlives a host of this process: the next one continues where the last one was. */
export interface MemoryData {
  readonly ports: DataPorts
  /** Lets it go; after the host has closed. */
  close(): Promise<void>
}

/** Opens data in memory. */
export function openMemory(): MemoryData {
  const ports = {
    store: memoryStore(),
    bus: memoryBus({ clock: systemClock }),
    blobs: memoryBlobs(),
    secret: randomBytes(32).toString('base64url'),
  }
  return {
    ports,
    async close() {
      await ports.bus.close()
      await ports.store.close()
      await ports.blobs.close()
    },
  }
}
