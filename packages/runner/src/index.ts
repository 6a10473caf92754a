export type { Clock } from '@svc/node'
export { parseDescription } from './calls/description.ts'
export type { LocalRunner } from './calls/local-runner.ts'
export { installable } from './install/installers.ts'
export { type Isolation, type IsolationOption, isolate } from './isolation/isolate.ts'
export type { IsolatorName } from './isolation/isolators.ts'
export { findProgram, wordsOf } from './isolation/program.ts'
export { promises as isolationPromises } from './isolation/proof.ts'
export { startFault } from './isolation/start-fault.ts'
export type { Fields } from './lines/fields.ts'
export { openLastWords, withLastWords } from './lines/last-words.ts'
export { plainLine } from './lines/plain-text.ts'
export { type PayloadCaps, readPayloadInTurns } from './lines/read-long.ts'
export type { Log } from './port/log.ts'
export { openProgress } from './port/progress.ts'
export { spoken } from './port/protocol.ts'
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
  SessionScope,
  SubcallReply,
  Subcalls,
  ToolsChange,
} from './port/runner.ts'
export { argsText, describeMs, failure, sessionScope } from './port/runner.ts'
export { cgroupProblem } from './processes/cgroups.ts'
export { environment } from './processes/environment.ts'
export { killTree } from './processes/reap.ts'
export { type AllowPlugin, authorText, type OfferedPlugin } from './remote/allow.ts'
export type { ConnectRunnerOptions } from './remote/connect-options.ts'
export {
  connectRunner,
  type RemoteEnd,
  type RemoteRunner,
  type RemoteState,
} from './remote/connect-runner.ts'
export { openPluginAnswers, type PluginAnswer, type PluginAnswers } from './remote/plugin-answers.ts'
export { linkPrivateFile, readPrivateFile } from './remote/private-file.ts'
export { stateFolder } from './remote/state-folder.ts'
export { createRunner, type RunnerOptions } from './runner.ts'
