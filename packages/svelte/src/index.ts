export type {
  Call,
  CallActions,
  CallState,
  ConnectionState,
  SendOptions,
  SessionActions,
  SessionMessage,
  SessionState,
  SessionView,
  Stored,
  StoredActions,
  StoredOptions,
  StoredState,
  ToolCall,
  ToolCallArgs,
  ToolCallOptions,
  ToolJob,
  ToolJobActions,
  ToolJobOptions,
  ToolJobState,
} from '@svc/sdk/state'
export { useCall } from './use-call.ts'
export { useJob } from './use-job.ts'
export { useSession } from './use-session.ts'
export { useStored } from './use-stored.ts'
export { useTool } from './use-tool.ts'
export { useBeforeClose, useConnection, useTitle } from './use-window.ts'
