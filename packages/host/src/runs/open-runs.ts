import { refuse } from '@svc/contract'
import type { House } from '../house.ts'
import type { RunFrame, Runs } from './runs.ts'

const later = async () => {
  throw refuse('not_implemented')
}

/** Opens the runs of a host. */
export function openRuns(_house: House): Runs {
  return {
    start: later,
    stream: later,
    cancel: later,
    attach: later,
    async *frames(): AsyncGenerator<RunFrame> {},
    cancelAll: async () => undefined,
    activeOf: async () => 0,
    forgetSession: async () => undefined,
    sweep: async () => undefined,
    forget: async () => undefined,
    close: async () => undefined,
  }
}
