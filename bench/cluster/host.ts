import { createHost } from '@svc/host'
import { openCluster } from '@svc/state-cluster'
import { pino } from 'pino'
import { serveFigures } from '../lib/server.ts'

/** A host of its own process on the state that hosts share, listening. Arguments: PostgreSQL, Redis. */
const [, , postgres = '', redis = ''] = process.argv
const { store, bus, blobs, secret } = await openCluster({ postgres, redis })
const logger = pino({ level: 'warn' }, pino.destination(2))
const host = createHost({ harness: true, runner: null, store, bus, blobs, secret, logger })
const { port } = await host.listen(0)
serveFigures({ port, pid: process.pid, startToken: host.startToken ?? '' })
