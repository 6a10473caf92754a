import { refuse } from '@svc/contract'
import type { House } from '../house.ts'
import type { Sessions } from './sessions.ts'

const later = async () => {
  throw refuse('not_implemented')
}

/** Opens the sessions of a host. */
export function openSessions(_house: House): Sessions {
  return {
    create: later,
    active: later,
    touch: later,
    slide: later,
    revoke: later,
    list: later,
    find: later,
    token: later,
    tokenExpiresIn: () => 0,
    ofUser: { list: later, end: later },
    revokeAll: async () => undefined,
    sweep: async () => undefined,
  }
}
