export type {
  CallOptions,
  Client,
  EventPayloads,
  EventType,
  JobProgress,
  JobSnapshot,
  JobState,
  ToolEntry,
  WindowEvent,
} from '@svc/contract'
export type { HostContext } from '@svc/contract/wire'
export type { JobWaitOptions } from './await-job.ts'
export type { ConnectOptions, Hello } from './connection.ts'
export { HostRpcError, isHostRpcError } from './errors.ts'
export type { SdkEvent, SdkEvents } from './events.ts'
export type { BeforeClose } from './face.ts'
export type { Progress } from './follow-job.ts'
export type { Job, ProgressOptions } from './job.ts'
export { connect, isHosted, type MethodName, type Svc, type SvcExtras, svc } from './svc.ts'
export type { ToolsExtras } from './tools.ts'
export type { ToolsChanged } from './tools-changed.ts'
