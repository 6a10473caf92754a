import type { Grants } from '@svc/contract'
import type { DailyQuotas, Host } from '@svc/host'
import { type SpendableQuota, spendableQuotas, spendQuota } from '@svc/host/testing'
import type { Store } from '@svc/state'
import { type Installation, installWith } from '../app/install-app.ts'
import { TestHostError } from '../errors/test-host-error.ts'
import type { Network } from '../network/network.ts'
import type { Activity } from '../time/activity.ts'
import type { Clocks } from '../time/test-clock.ts'
import type { TestRunner } from '../tools/test-runner.ts'
import { EXPIRED_MS, mintTokens } from './expired-tokens.ts'
import type { FaultName } from './fault-table.ts'

/** What the user takes back, by its name: the change of the install's grants. */
const denials = {
  image: { image_grant: false },
  upload: { upload_grant: false },
  web: { web_grant: false },
  credentials: { credentials_grant: false },
  storage: { allowed_scopes: [] },
  models: { models: [] },
  agent: { agent: { platform_tools: [], inherit_host_tools: false } },
} as const satisfies Record<string, Grants>

/** A grant that `denyGrant` takes back: `storage` is that of the scope `shared`. */
export type GrantName = keyof typeof denials

/** What faults work with. */
export interface FaultParts {
  readonly host: Host
  readonly clocks: Clocks
  readonly activity: Activity
  readonly network: Network
  readonly runner: TestRunner
  readonly store: Store
  readonly quotas: Partial<DailyQuotas> | undefined
  readonly installation: Installation
  /** Makes the host live so many ms in the past while something is done. */
  readonly inThePast: <T>(ms: number, work: () => Promise<T>) => Promise<T>
}

/** Makes the faults of a test host, by name. Each resolves when what follows from it at once has happened. */
export function openFaults(parts: FaultParts) {
  const { host, clocks, activity, network, runner, store, quotas, installation } = parts
  const { user, appId } = installation
  let grants = installation.grants

  return {
    /**
     * Loses one frame of a run on its way to the page, by its `seq`: the first of a run is 1.
     *
     * @example
     * ```ts
     * host.fault.loseFrame(3)
     * ```
     */
    loseFrame(seq: number): void {
      network.faults.lostFrames.add(seq)
    },
    /** Ends the processes of a plugin, as a crash does. @throws TestHostError for one that has no tools in this test. */
    async killPlugin(plugin: string): Promise<void> {
      if (!runner.names.includes(plugin))
        throw new TestHostError(
          `killPlugin: no tools were given of a plugin ${JSON.stringify(plugin)}`,
          `The test gave tools of: ${runner.names.join(', ') || 'none'}.`,
        )
      await runner.kill(plugin)
      await activity.settled()
    },
    /** Lets the tokens of all windows expire: the next request of each is refused with `invalid_token`. */
    async expireToken(): Promise<void> {
      const tokens = await parts.inThePast(EXPIRED_MS, () => mintTokens(host, user))
      for (const [windowUuid, token] of tokens) network.faults.expiredTokens.set(windowUuid, token)
    },
    /** Uses up what the user may use of something in a day (UTC). @throws TestHostError for a name that is no quota. */
    async spendQuota(quota: SpendableQuota): Promise<void> {
      if (!spendableQuotas.includes(quota))
        throw new TestHostError(
          `spendQuota: there is no quota ${JSON.stringify(quota)}`,
          `There are: ${spendableQuotas.join(', ')}.`,
        )
      await spendQuota({ store, clock: clocks.host, quotas }, { userId: user, appId }, quota)
    },
    /** Breaks the event streams of the page. */
    async cutStream(): Promise<void> {
      network.breakStreams('the stream was cut')
      await activity.settled()
    },
    /** Takes a grant back; windows that are open go on. @throws TestHostError for a name that is no grant. */
    async denyGrant(grant: GrantName): Promise<void> {
      if (!Object.hasOwn(denials, grant))
        throw new TestHostError(
          `denyGrant: there is no grant ${JSON.stringify(grant)}`,
          `There are: ${Object.keys(denials).join(', ')}. What the manifest does not list is denied without a grant.`,
        )
      grants = { ...grants, ...denials[grant] }
      await installWith(host, installation, grants)
    },
    /** Lets each request reach the host `ms` later; 0 ends it. */
    slowHost(ms: number): void {
      network.faults.delayMs = ms
    },
    /** Lets the host go away: what is under way breaks, and nothing reaches it until `hostBack`. */
    async hostGone(): Promise<void> {
      network.faults.isGone = true
      network.breakAll('the host is gone')
      await activity.settled()
    },
    /** Lets the host be reached again, with all that it had. */
    async hostBack(): Promise<void> {
      network.faults.isGone = false
      await activity.settled()
    },
  } satisfies Record<FaultName, (...args: never[]) => unknown>
}

/** The faults of a test host, by name: docs/reference/faults.md has what the app sees of each. */
export type Faults = ReturnType<typeof openFaults>
