import { memoryBlobs, memoryBus, memoryStore } from '@svc/host'
import { systemClock } from '@svc/node'
import { remoteElsewhereSuite } from './testing/remote-elsewhere.ts'

remoteElsewhereSuite(async () => {
  const bus = memoryBus({ clock: systemClock })
  const shared = { store: memoryStore(), bus, blobs: memoryBlobs(), secret: 's'.repeat(32) }
  return { there: shared, here: shared, close: async () => {} }
})
