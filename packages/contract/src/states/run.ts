import { machine } from './machine.ts'

/** A run of a session: every accepted run ends once. */
export const run = machine({
  queued: { start: 'running', cancel: 'cancelled', fail: 'failed' },
  running: { finish: 'finished', cancel: 'cancelled', fail: 'failed' },
  finished: {},
  cancelled: {},
  failed: {},
})

/** A state of a run. */
export type RunState = (typeof run.states)[number]
