import { machine } from '../machine.ts'

/**
 * A tool job (spec §3.1). `requeue` is a job that was claimed but not started by a host that died
 * (decision 8); `fail` from `queued` is a runner that refuses it.
 */
export const job = machine({
  queued: { start: 'running', fail: 'failed', expire: 'expired', cancel: 'cancelled' },
  running: {
    requeue: 'queued',
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
