/** What an app sees of the host, as types alone: nothing here needs zod. */
export type { CallOptions } from './call-options.ts'
export type * from './client-methods.ts'
export type { RpcResponse } from './envelope.ts'
export type { ErrorBody } from './errors.ts'
export type { EventPayloads, EventType, Geometry, WindowEvent } from './events.ts'
export type { Chunk, ChunkDelta, ErrorDetails, Frame, TokenUsage, ToolCall, ToolResult } from './frames.ts'
