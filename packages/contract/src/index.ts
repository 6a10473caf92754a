export { type AuditEntry, type AuditName, type AuditRow, audit, notAudited } from './audit.ts'
export type { CallOptions } from './call-options.ts'
export type * from './client-methods.ts'
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
export { distributionText } from './distribution-text.ts'
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
  type InstallFault,
  installFaults,
  Refusal,
  refuse,
} from './errors.ts'
export {
  type BuildProblem,
  type EventPayloads,
  type EventRow,
  type EventType,
  events,
  type Geometry,
  type WindowEvent,
} from './events.ts'
export { isFloating } from './exact-version.ts'
export type {
  Chunk,
  ChunkDelta,
  ErrorDetails,
  Frame,
  TokenUsage,
} from './frames.ts'
export { type IdKind, idKinds, idMaker, type NewId } from './ids.ts'
export { INSTANT_RULE, instantOf } from './instant.ts'
export { slowMethods } from './lanes.ts'
export { type HostLimits, hostLimits, type Limits, limits } from './limits/index.ts'
export { type Machine, machine } from './machine.ts'
export {
  type AgreedPlug,
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
export { type ManifestSchema, manifestJsonSchema } from './manifest-json-schema.ts'
export { type ImageType, imageTypes, type UploadType, uploadTypes } from './media-types.ts'
export {
  type ArgsIn,
  type ArgsOut,
  type Handlers,
  type Methods,
  methodRow,
  methodRows,
  methods,
  type Ns,
  namespaces,
  type ResultOf,
} from './methods/index.ts'
export { didYouMean, nearest } from './nearest.ts'
export { type PlatformToolName, type PlatformToolRow, platformTools } from './platform-tools.ts'
export { type PlugAnswer, type PlugConsent, type PlugTerms, plugAnswers, plugConsents } from './plug-terms.ts'
export { type PluginManifest, pluginManifestSchema, semver } from './plugin-manifest.ts'
export { findPromptToken, type PromptToken, type PromptTokenRow, promptTokens } from './prompt-tokens.ts'
export { type Publisher, publisherText } from './publisher-text.ts'
export { type AddressRate, isByUser, type RateName, type RateRow, rates, type UserRate } from './rates.ts'
export { mayReach, type Reach, type ReachedFolder, reachDigest, reachSentence } from './reach.ts'
export { reachSchema } from './reach-schema.ts'
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
  START_COOKIE,
  type UploadClaims,
  WINDOW_TOKEN_HEADER,
  type WindowClaims,
} from './tokens.ts'
export { type UnknownKey, unknownKeys } from './unknown-keys.ts'
