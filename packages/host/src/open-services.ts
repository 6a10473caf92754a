import { systemClock } from '@svc/node'
import { openPublicFetch } from '@svc/node/public-fetch'
import { type AuditSink, openAudit } from './access/audit/audit.ts'
import type { AccessServices } from './access/services.ts'
import { openEntryTickets } from './access/tokens/entry-tickets.ts'
import type { Secret } from './access/tokens/secrets.ts'
import { openTokens } from './access/tokens/tokens.ts'
import { openUnderWay } from './access/users/under-way.ts'
import { openUsers } from './access/users/users.ts'
import type { ConfiguredApp } from './apps/apps.ts'
import { openApps } from './apps/open-apps.ts'
import { openCopiedStore } from './catalog/copied-store.ts'
import { shareCopies } from './catalog/share-copies.ts'
import type { Services } from './edge/services.ts'
import { type Events, openEvents } from './events/events.ts'
import type { EventServices } from './events/services.ts'
import { openHosts } from './kernel/hosts.ts'
import type { Addresses } from './kernel/limiter/addresses.ts'
import { openLimiter } from './kernel/limiter/limiter.ts'
import { openRemovals } from './kernel/removals.ts'
import type { KernelServices } from './kernel/services.ts'
import { type OpenRunners, openRunners } from './machines/runners.ts'
import type { MachineServices } from './machines/services.ts'
import { openToolSessions } from './machines/tool-sessions.ts'
import type { ModelSettings } from './models/providers/model-settings.ts'
import { openModels } from './models/providers/models.ts'
import { type DailyQuotas, openQuotas } from './models/quotas/quotas.ts'
import type { ModelServices } from './models/services.ts'
import type { WebSearch } from './models/web/search.ts'
import {
  notedApprovals,
  notedApps,
  notedPublishing,
  notedRunners,
  notedSessions,
  notedUsers,
  notedVariables,
  notedWindows,
} from './noted.ts'
import { openApprovals } from './plugins/approvals/approvals.ts'
import type { Credentials } from './plugins/credentials/credentials.ts'
import { operatorCredentials } from './plugins/credentials/operator-credentials.ts'
import { openConfigured } from './plugins/deployments/configured.ts'
import type { ConfiguredPlugin } from './plugins/deployments/configured-plugin.ts'
import { notifyConfigured } from './plugins/deployments/notify.ts'
import { type KnownPlugin, openPlugins } from './plugins/deployments/plugins.ts'
import { openPublished } from './plugins/deployments/published.ts'
import { openPublishing } from './plugins/publishing/publishing.ts'
import type { PluginServices } from './plugins/services.ts'
import { openVariables } from './plugins/variables/variables.ts'
import { openLateWrites } from './user-data/late-writes.ts'
import type { UserDataServices } from './user-data/services.ts'
import { openUserData } from './user-data/user-data.ts'
import { openErrorLog } from './windows/error-log.ts'
import { openWindows } from './windows/open-windows.ts'
import type { WindowServices } from './windows/services.ts'
import { openJobs } from './work/jobs/jobs.ts'
import { openRuns } from './work/runs/runs.ts'
import { openSamplings } from './work/sampling/samplings.ts'
import type { WorkServices } from './work/services.ts'
import { type AddedPlatformTool, openPlatformTools } from './work/sessions/platform-tools.ts'
import { openSessions } from './work/sessions/sessions.ts'

/** What the services of a host are opened on. */
export interface ServiceParts {
  /** What is given to a host, or made for it once. */
  readonly base: Omit<KernelServices, 'limiter' | 'hosts' | 'publicFetch' | 'removals'>
  /** Whose requests are counted together. */
  readonly addresses: Addresses
  /** By which refusals wait; the clock of the machine where left out. */
  readonly waits?: KernelServices['clock']
  /** What tokens are signed with. */
  readonly secret: Secret
  readonly audit?: AuditSink | undefined
  readonly plugins?: readonly ConfiguredPlugin[] | undefined
  readonly apps?: readonly ConfiguredApp[] | undefined
  readonly platformTools?: readonly AddedPlatformTool[] | undefined
  readonly credentials?: Credentials | undefined
  readonly webSearch?: WebSearch | undefined
  readonly models: ModelSettings
  readonly quotas: DailyQuotas
  /** In place of those that this would open. */
  readonly instead?: { readonly events?: Events; readonly runners?: Partial<OpenRunners> }
}

/** The services of a host, and what its own front asks of machines. */
export type HostServices = Services & {
  readonly runners: OpenRunners
  readonly sharedCopies: Pick<ReturnType<typeof shareCopies>, 'close'>
}

/**
 * Opens the services of a host layer by layer, each with those below it. Where a layer below needs one above, which is a
 * true circle, it gets a function that is called later (docs/decisions/0070-layers-of-the-host.md).
 */
export function openServices(parts: ServiceParts): HostServices {
  const { base, addresses, waits = systemClock, secret, instead = {} } = parts
  const { clock, limits, settings } = base

  const hosts = openHosts(base)
  const { store, copies } = openCopiedStore(base.store, clock, limits)
  const kernel: KernelServices = {
    ...base,
    store,
    limiter: openLimiter({ ...base, addresses, waits }),
    hosts,
    removals: openRemovals({ ...base, hosts }),
    publicFetch: openPublicFetch({ clock, limits, allowLoopback: settings.allowLoopback }),
  }
  const sharedCopies = shareCopies(copies, { ...kernel, hostId: hosts.id })
  const catalog = { ...kernel, copies: sharedCopies.copies }

  const userData = openUserData(() => all)
  const audit = openAudit(catalog, parts.audit)
  const users = notedUsers(openUsers(catalog, userData), audit)
  const access: AccessServices = {
    ...catalog,
    audit,
    users,
    tokens: openTokens({ secret, clock, limits }),
    tickets: openEntryTickets(secret),
    underWay: openUnderWay({ ...catalog, users }),
  }
  const events: EventServices = { ...access, events: instead.events ?? openEvents(access) }

  const reconcile = (userId: string, runnerId: string) => all.jobs.reconcile(userId, runnerId)
  const toolSessions = openToolSessions(events)
  const opensRunners = { ...events, reconcile, toolSessions }
  const runners = { ...notedRunners(openRunners(opensRunners), audit), ...instead.runners }
  const machines: MachineServices = { ...events, runners, toolSessions }

  const installOf = (userId: string, appId: string) => all.apps.installOf(userId, appId)
  const windows: WindowServices = {
    ...machines,
    windows: notedWindows(openWindows({ ...machines, installOf }), audit),
    errorLog: openErrorLog(machines),
  }

  const opened = openModels(parts.models, windows)
  const models: ModelServices = {
    ...windows,
    models: opened,
    missing: new Set([...opened.missing, ...(parts.webSearch ? [] : ['web.search'])]),
    quotas: openQuotas(windows, parts.quotas),
    webSearch: parts.webSearch ?? null,
  }

  const listeners: ((plugin: KnownPlugin) => void)[] = []
  const configured = openConfigured(parts.plugins ?? [], {
    ...models,
    link: runners.builtin,
    onChange(plugin, whose) {
      void notifyConfigured(models, plugin, whose)
      for (const listener of listeners) listener(plugin)
    },
    onDrop: ({ tool_id }) => toolSessions.endPlugins([tool_id]),
  })
  const published = openPublished(models)
  const known = { ...models, published, plugins: openPlugins(configured, published, listeners) }
  const plugins: PluginServices = {
    ...known,
    approvals: notedApprovals(openApprovals(known), audit),
    publishing: notedPublishing(openPublishing(known), audit),
    credentials: parts.credentials ?? operatorCredentials(known),
    variables: notedVariables(openVariables(known), audit),
  }

  const platformTools = openPlatformTools(parts.platformTools ?? [])
  const offering = { ...plugins, platformTools, endInstall: userData.endInstall }
  const apps = { ...offering, apps: notedApps(openApps(offering, parts.apps ?? []), audit) }

  const samplings = openSamplings(() => all)
  const jobs = openJobs({ ...apps, samplings })
  const activeRuns = () => all.runs
  const sessions = notedSessions(openSessions({ ...apps, activeRuns }), audit)
  const runs = openRuns({ ...apps, samplings, jobs, sessions })
  const work: WorkServices = { ...apps, samplings, jobs, sessions, runs }

  const data: UserDataServices = { ...work, lateWrites: openLateWrites(work) }
  const all: HostServices = { ...data, runners, sharedCopies }
  return all
}
