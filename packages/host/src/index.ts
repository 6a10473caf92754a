export { type HostLimits, hostLimits } from '@svc/contract'
export { type Clock, systemClock } from '@svc/node'
export { OptionError } from '@svc/node/options'
export type { Blobs, Bus, Store } from '@svc/state'
export { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
export type { AuditSink } from './access/audit/audit.ts'
export type { PageTokens } from './access/tokens/page-tokens.ts'
export type { NamedSecret, Secret } from './access/tokens/secrets.ts'
export type { Authenticate, SignedIn } from './access/users/sign-in.ts'
export type { DataLine, Users } from './access/users/users.ts'
export type { UserAnswer } from './apps/agree.ts'
export type {
  AppInstall,
  Apps,
  ConfiguredApp,
  InstalledApp,
  MadeRelease,
  OwnApp,
  OwnAppPage,
  OwnVersion,
  Push,
  PushedDraft,
  Release,
  ReleasePage,
} from './apps/apps.ts'
export type { ProblemPart, ToldProblem } from './apps/build-problems.ts'
export type { DevFile, DevRequest, DevSource } from './apps/dev-source.ts'
export type { AppPlug } from './apps/installed.ts'
export { blobReferences, type RowBlobs } from './blob-references.ts'
export { createHost } from './create-host.ts'
export { isLoopback, type Listening, type ListenPlace, listenProblem } from './edge/http/listen.ts'
export type { PageFile, PageFiles } from './edge/http/routes/page.ts'
export type { Host } from './host.ts'
export type { HostFacts } from './host-facts.ts'
export { hostOptionProblem } from './host-rules.ts'
export type { ListQuery } from './kernel/list-page.ts'
export type { Logger } from './kernel/logger.ts'
export type { LinkChange, RunnerLink } from './machines/runners.ts'
export type { EnrolledRunner } from './machines/show-runners.ts'
export type { UserRunners } from './machines/user-runners.ts'
export { devModel } from './models/providers/dev-model.ts'
export type { ConfiguredModel, ConfiguredModels } from './models/providers/models.ts'
export { type ServerModelOptions, serverModel } from './models/providers/server-model.ts'
export type { DailyQuotas } from './models/quotas/quotas.ts'
export type { WebResult, WebSearch } from './models/web/search.ts'
export type { CredentialStatus, Credentials } from './plugins/credentials/credentials.ts'
export type { ConfiguredPlugin } from './plugins/deployments/configured-plugin.ts'
export type {
  BoundPlugin,
  DescribeWait,
  KnownPlugin,
  MissingConsent,
  Plugins,
  Seeker,
  SeekersVersion,
} from './plugins/deployments/plugins.ts'
export type { Changes } from './plugins/publishing/changes.ts'
export type {
  DescribeOptions,
  ListedPlug,
  MintedDraft,
  PlugPage,
  PlugState,
  PublishedPlug,
  PublishedVersion,
  Publishing,
  VersionPreview,
} from './plugins/publishing/publishing.ts'
export type { HostOptions } from './settings.ts'
export type { ListedWindow, OpenedWindow, Windows } from './windows/windows.ts'
export type { CancelResult, UserJob, UserJobs } from './work/jobs/jobs.ts'
export type { JobQuery } from './work/jobs/list.ts'
export type { AddedPlatformTool, PlatformCaller } from './work/sessions/platform-tools.ts'
export type { UserSession, UserSessions } from './work/sessions/sessions.ts'
