import { cites } from '@svc/conformance/cites'
import { rounds } from '@svc/conformance/rounds'
import { storeSuite } from '../../testing/store-suite.ts'
import { memoryStore } from './memory.ts'

cites(
  'design.store.caps',
  'design.store.exists_first',
  'design.store.swap',
  'design.store.scan',
  'design.store.unicode',
)
const load = { lists: rounds(500), writes: rounds(2_000), keys: rounds(100_000) }
storeSuite('memory', async () => memoryStore(), load)
