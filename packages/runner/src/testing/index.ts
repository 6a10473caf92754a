export type { Talk } from '../calls/talk.ts'
export type { CommandSpec } from '../port/runner.ts'
export type { Child, Ending } from '../processes/child.ts'
export { createInProcessRunner, type InProcessParts } from './in-process-runner.ts'
