import { openCluster } from '@svc/state-cluster'
import { serveFigures } from '../lib/server.ts'

/** A host of its own process that answers each question with its body. Arguments: PostgreSQL, Redis. */
const [, , postgres = '', redis = ''] = process.argv
const { bus } = await openCluster({ postgres, redis })
const host = `host_${process.pid}`
await bus.answer(host, 'echo', async (body) => body)
serveFigures({ port: 0, host })
