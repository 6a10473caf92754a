import type { Grants } from '@svc/contract'
import type { DailyQuotas, Host } from '@svc/host'
import { type SpendableQuota, spendableQuotas, spendQuota } from '@svc/host/testing'
import type { Store } from '@svc/state'
import { type Installation, installWith } from '../install-app.ts'
import type { Network } from '../network/network.ts'
import { TestHostError } from '../test-host-error.ts'
import type { Activity } from '../time/activity.ts'
import type { Clocks } from '../time/test-clock.ts'
import type { TestRunner } from '../tools/test-runner.ts'
import { EXPIRED_MS, mintTokens } from './expired-tokens.ts'

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
     * Loses one frame of a run on its way to the page, by its `seq` (the first of a run is 1). The SDK sees the gap, asks
     * for a replay after 250 ms and goes on: the app misses nothing.
     *
     * @example
     * ```ts
     * host.fault.loseFrame(3)
     * ```
     */
    loseFrame(seq: number): void {
      network.faults.lostFrames.add(seq)
    },
    /**
     * Ends the processes of a plugin as a crash does. A call that is under way fails with `plug_error`, a job too; the next
     * call starts a new process.
     */
    async killPlugin(name: string): Promise<void> {
      if (!runner.names.includes(name))
        throw new TestHostError(
          `killPlugin: no tools were given of a plugin ${JSON.stringify(name)}`,
          `The test gave tools of: ${runner.names.join(', ') || 'none'}.`,
        )
      await runner.kill(name)
      await activity.settled()
    },
    /**
     * Lets the tokens of all windows expire: the next request of each is refused with `invalid_token`. The page renews the
     * token and sends the request again; the app sees nothing.
     */
    async expireToken(): Promise<void> {
      const tokens = await parts.inThePast(EXPIRED_MS, () => mintTokens(host, user))
      for (const [windowUuid, token] of tokens) network.faults.expiredTokens.set(windowUuid, token)
    },
    /**
     * Uses up what the user may use in a day (UTC) of something: calls that need it fail with `quota_exceeded`, whose
     * `details.resets_at` is the end of the day. `web_calls_per_app_per_day` cannot be spent alone.
     */
    async spendQuota(name: SpendableQuota): Promise<void> {
      if (!spendableQuotas.includes(name))
        throw new TestHostError(
          `spendQuota: there is no quota ${JSON.stringify(name)}`,
          `There are: ${spendableQuotas.join(', ')}.`,
        )
      await spendQuota({ store, clock: clocks.host, quotas }, { userId: user, appId }, name)
    },
    /**
     * Breaks the event streams of the page. The bridge connects again after a second and goes on where it was: the app
     * misses nothing that the host still keeps.
     */
    async cutStream(): Promise<void> {
      network.breakStreams('the stream was cut')
      await activity.settled()
    },
    /**
     * Takes a grant back, as the user does who installs the app anew without it: calls that need it fail with
     * `permission_denied`, and `details.denied_by` is `grant`. Open windows go on.
     */
    async denyGrant(name: GrantName): Promise<void> {
      if (!Object.hasOwn(denials, name))
        throw new TestHostError(
          `denyGrant: there is no grant ${JSON.stringify(name)}`,
          `There are: ${Object.keys(denials).join(', ')}. What the manifest does not list is denied without a grant.`,
        )
      grants = { ...grants, ...denials[name] }
      await installWith(host, installation, grants)
    },
    /** Lets each request reach the host `ms` later; 0 ends it. */
    slowHost(ms: number): void {
      network.faults.delayMs = ms
    },
    /**
     * Lets the host go away: what is under way breaks, and no request reaches it. Calls fail with `host_unreachable`, the
     * page tells `host_lost`, and tries again and again.
     */
    async hostGone(): Promise<void> {
      network.faults.isGone = true
      network.breakAll('the host is gone')
      await activity.settled()
    },
    /** Lets the host be reached again, with all that it had: the page tells `host_back` within ten seconds. */
    async hostBack(): Promise<void> {
      network.faults.isGone = false
      await activity.settled()
    },
  }
}

/** The faults of a test host, by name. */
export type Faults = ReturnType<typeof openFaults>
