import { openFolder } from '@svc/state-sqlite'
import { notes } from './fill.ts'

/** In a process of its own: opens a folder, reads a row, and says how long it took and what memory the process takes. */
const [dir = '', id = ''] = process.argv.slice(2)
const from = performance.now()
const folder = await openFolder(dir)
const record = await folder.store.get(notes, id)
const tookMs = performance.now() - from
if (!record) throw new Error(`${dir} has no row ${id}`)
process.send?.({ tookMs, rssMib: process.memoryUsage().rss / 1_048_576 })
await folder.close()
process.disconnect?.()
