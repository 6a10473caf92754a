export type { Clock } from './clock.ts'
export { parseDescription } from './description.ts'
export { environment } from './environment.ts'
export type { FenceName } from './fence.ts'
export { installable } from './install/installers.ts'
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
export { failure } from './link.ts'
export type { Log } from './log.ts'
export { findProgram } from './program.ts'
export { openProgress } from './progress.ts'
export { killTree } from './reap.ts'
export {
  type ConnectRunnerOptions,
  connectRunner,
  type RemoteEnd,
  type RemoteRunner,
  type RemoteState,
} from './remote/connect-runner.ts'
export { createRunner, type LocalRunner, type RunnerOptions } from './runner.ts'
