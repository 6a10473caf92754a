import { machine } from './machine.ts'

/**
 * A window: silence makes it stale and its next call wakes it; a fatal
 * `report_error` marks it crashed, and a `hello` of a reloaded document brings it back.
 */
export const window = machine({
  open: { silence: 'stale', call: 'open', crash: 'crashed', hello: 'open', close: 'closed' },
  stale: { silence: 'stale', call: 'open', crash: 'crashed', hello: 'open', close: 'closed' },
  crashed: { silence: 'crashed', call: 'crashed', crash: 'crashed', hello: 'open', close: 'closed' },
  closed: {},
})

/** A state of a window; everything but `closed` serves calls. */
export type WindowStatus = (typeof window.states)[number]
