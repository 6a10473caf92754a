// A thread of a folder: the connections of SQLite are here, so that no wait for a disk stops the event loop of the host.
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadData } from './folder/thread.ts'
import { openRole } from './threads/roles.ts'
import { serveVerbs } from './threads/serve.ts'

if (!parentPort) throw new Error('this module runs in a thread of openFolder, not by itself')
serveVerbs(parentPort, () => openRole(workerData as ThreadData))
