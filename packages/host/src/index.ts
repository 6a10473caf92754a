export { type Clock, systemClock } from '@svc/node'
export type { Blobs, Bus, Store } from '@svc/state'
export { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
export type { Apps, ConfiguredApp, InstalledApp, Push } from './apps/apps.ts'
export type { AuditSink } from './audit/audit.ts'
export { createHost } from './create-host.ts'
export type { CredentialStatus, Credentials } from './credentials/credentials.ts'
export type { Host } from './host.ts'
export type { HostFacts } from './host-facts.ts'
export { type HostLimits, hostLimits } from './host-limits.ts'
export type { Listening } from './http/listen.ts'
export type { Cancelled, UserJob, UserJobs } from './jobs/jobs.ts'
export { devModel } from './models/dev-model.ts'
export type { ConfiguredModel, ConfiguredModels } from './models/models.ts'
export { unknownOption } from './option-names.ts'
export type { ConfiguredPlugin } from './plugins/configured.ts'
export type { KnownPlugin, Plugins, Seeker } from './plugins/plugins.ts'
export type { Changes } from './publishing/changes.ts'
export type {
  ListedPlug,
  MintedDraft,
  PlugPage,
  PublishedPlug,
  PublishedVersion,
  Publishing,
  VersionPreview,
} from './publishing/publishing.ts'
export type { DailyQuotas } from './quotas/quotas.ts'
export type { AddedPlatformTool, PlatformCaller } from './sessions/platform-tool.ts'
export type { HostOptions, PageFile } from './settings.ts'
export type { NamedSecret, Secret } from './tokens/secrets.ts'
export type { Authenticate } from './users/sign-in.ts'
export type { Users } from './users/users.ts'
export type { WebResult, WebSearch } from './web/search.ts'
export type { ListedWindow, OpenedWindow, Windows } from './windows/windows.ts'
