import { machine } from './machine.ts'

/** An agent session: `touch` is a run or a refresh, `delete` is the owner's, `reap` the sweeper's. */
export const session = machine({
  active: { touch: 'active', expire: 'expired', delete: 'revoked', window_closed: 'revoked' },
  expired: { delete: 'revoked', reap: 'revoked' },
  revoked: { delete: 'revoked', purge: 'deleted' },
  deleted: {},
})

/** A state of a session. */
export type SessionState = (typeof session.states)[number]
