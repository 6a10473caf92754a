/** What an app sees of the host, as types alone: nothing here needs zod. */

export type { ErrorBody } from './errors/errors.ts'
export type { CallOptions } from './methods/call-options.ts'
export type * from './methods/client-methods.ts'
export type {
  CheckedId,
  CheckedTool,
  KnownArgs,
  KnownCall,
  KnownResult,
  KnownTools,
  OpenTools,
  Payload,
  ToolArgs,
  ToolName,
  ToolPayload,
} from './methods/known-tools.ts'
export type { RpcResponse } from './wire/envelope.ts'
export type { EventPayloads, EventType, Geometry, WindowEvent } from './wire/events.ts'
export type {
  Chunk,
  ChunkDelta,
  ErrorDetails,
  Frame,
  TokenUsage,
  ToolCall,
  ToolResult,
  Withheld,
} from './wire/frames.ts'
