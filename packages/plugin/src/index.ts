export {
  type AgentRun,
  type AgentSession,
  AgentSessionClient,
  type HostFile,
  type KeptFile,
  type RunAttachment,
  type SessionInfo,
  type SessionOptions,
} from './agent-session.ts'
export type { Context } from './context.ts'
export type { Plugin } from './describe.ts'
export { HostError, type HostErrorData } from './host-error.ts'
export type { LivePlugin } from './live-plugin.ts'
export type { RequestOptions } from './requests.ts'
export { RpcError } from './rpc-error.ts'
export { type Serving, serve } from './serve.ts'
export type { Args, Tool, ToolOptions } from './tool.ts'
export { tool } from './tool.ts'
