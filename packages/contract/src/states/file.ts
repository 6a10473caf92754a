import { machine } from './machine.ts'

/**
 * A file: an upload waits for its bytes and then for the call that confirms it; a file that comes whole
 * is kept at once. Only a `ready` one can be read. Whatever is not ready in time, or whose app goes, is `gone`.
 */
export const file = machine({
  waiting: { claim: 'arriving', drop: 'gone' },
  arriving: { claim: 'arriving', store: 'stored', keep: 'ready', drop: 'gone' },
  stored: { confirm: 'ready', drop: 'gone' },
  ready: { confirm: 'ready', drop: 'gone' },
  gone: {},
})

/** A state of a file. */
export type FileState = (typeof file.states)[number]
