import { cites } from '@svc/conformance/cites'
import { storeSuite } from '../../testing/store-suite.ts'
import { memoryStore } from './memory.ts'

cites(
  'design.store.caps',
  'design.store.exists_first',
  'design.store.swap',
  'design.store.scan',
  'design.store.unicode',
)
storeSuite('memory', async () => memoryStore())
