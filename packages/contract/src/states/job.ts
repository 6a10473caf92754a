import { machine } from '../machine.ts'

/**
 * A tool job (spec §3.1). `requeue` is a job that waited at a host that died and goes to another one (decision 8);
 * `fail` from `queued` is a runner that refuses it.
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
