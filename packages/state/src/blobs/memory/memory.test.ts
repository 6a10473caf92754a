import { cites } from '@svc/conformance/cites'
import { blobsSuite } from '../../testing/blobs-suite.ts'
import { memoryBlobs } from './memory.ts'

cites('design.blobs')
blobsSuite('memory', async () => memoryBlobs())
