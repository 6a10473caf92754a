import { machine } from './machine.ts'

/**
 * A tool job. `requeue` is a job that waited and goes to another host: its own died, or its runner came
 * there; `fail` from `queued` is a runner that was revoked, or has the plugin no more.
 */
export const job = machine({
  queued: {
    requeue: 'queued',
    start: 'running',
    fail: 'failed',
    expire: 'expired',
    cancel: 'cancelled',
  },
  running: {
    succeed: 'succeeded',
    fail: 'failed',
    expire: 'expired',
    cancel: 'cancelled',
  },
  succeeded: {},
  failed: {},
  cancelled: {},
  expired: {},
})
