export type { Clock } from './clock.ts'
export { environment } from './environment.ts'
export type { FenceName } from './fence.ts'
export type {
  CallInput,
  CallOutcome,
  CommandSpec,
  DescribeOutcome,
  Failure,
  InstalledSpec,
  InstallOutcome,
  JobInput,
  JobProgress,
  Payload,
  PluginSpec,
  Runner,
  RunnerStats,
  SubcallReply,
  Subcalls,
} from './link.ts'
export type { Log } from './log.ts'
export { findProgram } from './program.ts'
export { killTree } from './reap.ts'
export { createRunner, type RunnerOptions } from './runner.ts'
