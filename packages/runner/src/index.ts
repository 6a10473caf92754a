export type { Clock } from '@svc/node'
export { parseDescription } from './description.ts'
export { environment } from './environment.ts'
export type { FenceName } from './fence.ts'
export { installable } from './install/installers.ts'
export { type Isolation, type IsolationOption, isolate } from './isolation/isolate.ts'
export { openLastWords, withLastWords } from './last-words.ts'
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
export { argsText, failure } from './link.ts'
export type { Log } from './log.ts'
export { plainLine } from './plain-text.ts'
export { findProgram } from './program.ts'
export { openProgress } from './progress.ts'
export { type PayloadCaps, readPayloadInTurns } from './read-long.ts'
export { killTree } from './reap.ts'
export { type AllowPlugin, authorText, type OfferedPlugin } from './remote/allow.ts'
export {
  type ConnectRunnerOptions,
  connectRunner,
  type RemoteEnd,
  type RemoteRunner,
  type RemoteState,
} from './remote/connect-runner.ts'
export { openPluginAnswers, type PluginAnswer, type PluginAnswers } from './remote/plugin-answers.ts'
export { linkPrivateFile, readPrivateFile } from './remote/private-file.ts'
export { stateFolder } from './remote/state-folder.ts'
export { createRunner, type LocalRunner, type RunnerOptions } from './runner.ts'
