export {
  type Access,
  canonicalArgs,
  explain,
  explainAll,
  type GrantName,
  type MethodRow,
  method,
  type Namespace,
} from './define.ts'
export { endOfString, isDeeper } from './depth.ts'
export { type Distribution, distributionSchema } from './distribution.ts'
export {
  errorText,
  isCall,
  type NotACall,
  okText,
  type RpcRequest,
  type RpcResponse,
  readEnvelope,
} from './envelope.ts'
export {
  type ErrorBody,
  type ErrorCode,
  type ErrorRow,
  errorBody,
  errorRow,
  errors,
  Refusal,
  refuse,
} from './errors.ts'
export {
  type EventPayloads,
  type EventRow,
  type EventType,
  events,
  type Geometry,
  type WindowEvent,
} from './events.ts'
export type {
  Chunk,
  ChunkDelta,
  ErrorDetails,
  Frame,
  TokenUsage,
} from './frames.ts'
export { type IdKind, idKinds, idMaker, type NewId } from './ids.ts'
export { slowMethods } from './lanes.ts'
export { type Limits, limits } from './limits.ts'
export { type Machine, machine } from './machine.ts'
export {
  type Grants,
  grantsSchema,
  hostApiSchema,
  type Manifest,
  type ManifestInput,
  manifestSchema,
  type Plug,
  type View,
  viewOf,
} from './manifest.ts'
export { type ImageType, imageTypes, type UploadType, uploadTypes } from './media-types.ts'
export type { Attachment, HistoryMessage, HistoryPart, QuotaCaps, SessionEntry } from './methods/agent.ts'
export {
  type ArgsIn,
  type ArgsOut,
  type CallOptions,
  type Client,
  type ClientMethod,
  type ClientNamespace,
  type Handlers,
  type Methods,
  methodRow,
  methodRows,
  methods,
  type Ns,
  type ResultOf,
} from './methods/index.ts'
export type {
  CompletionArgs,
  CompletionMessage,
  CompletionResult,
  ModelPreferences,
  Usage,
} from './methods/llm.ts'
export type { JobProgress, JobSnapshot, JobState, ToolEntry } from './methods/tools.ts'
export { type PlatformToolName, type PlatformToolRow, platformTools } from './platform-tools.ts'
export { type PluginManifest, pluginManifestSchema, semver } from './plugin-manifest.ts'
export { findPromptToken, type PromptToken, type PromptTokenRow, promptTokens } from './prompt-tokens.ts'
export { bumpPatch, compareSemver, isSemver } from './semver.ts'
export type { FileState } from './states/file.ts'
export type { ReservationState, SnapshotStatus, Visibility } from './states/reservation.ts'
export type { RunState } from './states/run.ts'
export type { SessionState } from './states/session.ts'
export type { WindowStatus } from './states/window.ts'
export { subcallParams } from './subcall-params.ts'
export { text } from './text.ts'
export {
  type Audience,
  audiences,
  ISSUER,
  isTokenText,
  type SessionClaims,
  SIGN_IN_COOKIE,
  type SignInClaims,
  type UploadClaims,
  WINDOW_TOKEN_HEADER,
  type WindowClaims,
} from './tokens.ts'
