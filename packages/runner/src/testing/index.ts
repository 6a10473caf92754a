export type { Talk } from '../calls/talk.ts'
export { createInProcessRunner, type InProcessParts } from '../in-process-runner.ts'
export type { CommandSpec } from '../port/runner.ts'
export type { Child, Ending } from '../processes/child.ts'
