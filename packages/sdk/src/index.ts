export type * from '@svc/contract/client'
export type { HostContext } from '@svc/contract/wire'
export type { LlmExtras, SvcAgentSession } from './agent.ts'
export type { JobWaitOptions } from './await-job.ts'
export type { ConnectOptions, Hello } from './connection.ts'
export type { DownloadArgs } from './download.ts'
export { HostRpcError, isHostRpcError } from './errors.ts'
export type { SdkEvent, SdkEvents } from './events.ts'
export type { Progress } from './follow-job.ts'
export type { Job, ProgressOptions } from './job.ts'
export type { BeforeClose } from './page-calls.ts'
export type { Run } from './run.ts'
export type { RunEnd } from './run-end.ts'
export type { RunEvents } from './run-events.ts'
export type { AgentSession, KnownSession, NewSession, RunOptions, SessionOptions } from './session.ts'
export type { AttachOptions, StartOptions } from './start-run.ts'
export {
  connect,
  isHosted,
  type Svc,
  type SvcAgent,
  type SvcLlm,
  type SvcTools,
  type SvcWindow,
  svc,
} from './svc.ts'
export type { ToolsExtras } from './tools.ts'
export type { ToolsChanged } from './tools-changed.ts'
