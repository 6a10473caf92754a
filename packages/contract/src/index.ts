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
  wrongArg,
} from './errors/errors.ts'
export { type HostLimits, hostLimits, type Limits, limits } from './limits/index.ts'
export type { CallOptions } from './methods/call-options.ts'
export type * from './methods/client-methods.ts'
export {
  type Access,
  canonicalArgs,
  explain,
  explainAll,
  type GrantName,
  type MethodRow,
  method,
  type Namespace,
  wrongArgs,
} from './methods/define.ts'
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
export { type PlatformToolName, type PlatformToolRow, platformTools } from './methods/platform-tools.ts'
export {
  type AddressRate,
  isByUser,
  type RateName,
  type RateRow,
  rates,
  type UserRate,
} from './methods/rates.ts'
export { type AuditEntry, type AuditName, type AuditRow, audit, notAudited } from './schemas/audit.ts'
export { type BrowserPermission, browserPermissions } from './schemas/browser-permissions.ts'
export { type Distribution, distributionSchema } from './schemas/distribution.ts'
export { distributionText } from './schemas/distribution-text.ts'
export { isFloating } from './schemas/exact-version.ts'
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
} from './schemas/manifest.ts'
export { type ManifestSchema, manifestJsonSchema } from './schemas/manifest-json-schema.ts'
export {
  type FilledNeeds,
  fillNeeds,
  type Needs,
  namesIn,
  type Variable,
  type Variables,
  wrongName,
} from './schemas/needs.ts'
export { namesFault, runnerNames } from './schemas/needs-schema.ts'
export { neededNames, needsSentence, variableText } from './schemas/needs-text.ts'
export { type OutputVerdict, outputProblems } from './schemas/output-problems.ts'
export {
  type PlugAnswer,
  type PlugConsent,
  type PlugTerms,
  plugAnswers,
  plugConsents,
} from './schemas/plug-terms.ts'
export { type PluginManifest, pluginManifestSchema, semver } from './schemas/plugin-manifest.ts'
export { type Publisher, publisherText } from './schemas/publisher-text.ts'
export {
  mayReach,
  mayReachTcp,
  type Reach,
  type ReachedFolder,
  reachDigest,
  reachSentence,
} from './schemas/reach.ts'
export { ownReachSchema, reachSchema } from './schemas/reach-schema.ts'
export { type UnknownKey, unknownKeys } from './schemas/unknown-keys.ts'
export type { FileState } from './states/file.ts'
export { type Machine, machine } from './states/machine.ts'
export type { ReservationState, SnapshotStatus, Visibility } from './states/reservation.ts'
export type { RunState } from './states/run.ts'
export type { SessionState } from './states/session.ts'
export type { WindowStatus } from './states/window.ts'
export { type BuildProblem, problemParts } from './values/build-problem.ts'
export { endOfString, isDeeper } from './values/depth.ts'
export { type IdKind, idKinds, idMaker, type NewId } from './values/ids.ts'
export { INSTANT_RULE, instantOf } from './values/instant.ts'
export { slowMethods } from './values/lanes.ts'
export { type ImageType, imageTypes, type UploadType, uploadTypes } from './values/media-types.ts'
export { didYouMean, nearest } from './values/nearest.ts'
export {
  findPromptToken,
  type PromptToken,
  type PromptTokenRow,
  promptTokens,
} from './values/prompt-tokens.ts'
export { bumpPatch, compareSemver, isSemver } from './values/semver.ts'
export { text } from './values/text.ts'
export {
  type Audience,
  audiences,
  cookieAt,
  ISSUER,
  isTokenText,
  type SessionClaims,
  SIGN_IN_COOKIE,
  type SignInClaims,
  START_COOKIE,
  type UploadClaims,
  WINDOW_TOKEN_HEADER,
  type WindowClaims,
} from './values/tokens.ts'
export { wordList } from './values/word-list.ts'
export {
  errorText,
  isCall,
  type NotACall,
  okText,
  type RpcRequest,
  type RpcResponse,
  readEnvelope,
} from './wire/envelope.ts'
export {
  type EventPayloads,
  type EventRow,
  type EventType,
  events,
  type Geometry,
  type WindowEvent,
} from './wire/events.ts'
export type {
  Chunk,
  ChunkDelta,
  ErrorDetails,
  Frame,
  TokenUsage,
  Withheld,
} from './wire/frames.ts'
export { subcallParams } from './wire/subcall-params.ts'
