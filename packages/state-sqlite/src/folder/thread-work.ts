// A thread of a folder: the connections of SQLite are here, so that no wait for a disk stops the event loop of the host.
import { parentPort, workerData } from 'node:worker_threads'
import { openRole } from '../threads/roles.ts'
import { serveVerbs } from '../threads/serve.ts'
import type { ThreadData } from '../threads/thread-data.ts'

// Outside of a thread there is nobody to serve.
if (parentPort) serveVerbs(parentPort, () => openRole(workerData as ThreadData))
