export { type Call, type CallActions, type CallState, createCall } from './call.ts'
export { type ConnectionState, createConnectionState } from './connection.ts'
export {
  createSessionView,
  type SendOptions,
  type SessionActions,
  type SessionState,
  type SessionView,
} from './session.ts'
export type { SessionMessage } from './session-messages.ts'
export type { State } from './state.ts'
export {
  createStored,
  type Stored,
  type StoredActions,
  type StoredOptions,
  type StoredState,
} from './stored.ts'
export { createTitle } from './title.ts'
export { createToolCall, type ToolCall, type ToolCallArgs, type ToolCallOptions } from './tool.ts'
export {
  createToolJob,
  type ToolJob,
  type ToolJobActions,
  type ToolJobOptions,
  type ToolJobState,
} from './tool-job.ts'
