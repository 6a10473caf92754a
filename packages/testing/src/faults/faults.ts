import { isDeepStrictEqual } from 'node:util'
import type { Grants, Limits } from '@svc/contract'
import type { DailyQuotas, Host } from '@svc/host'
import { type SpendableQuota, spendableQuotas, spendQuota } from '@svc/host/testing'
import type { Store } from '@svc/state'
import { type Installation, installWith } from '../app/install-app.ts'
import { TestHostError } from '../errors/test-host-error.ts'
import type { Network } from '../network/network.ts'
import type { Activity } from '../time/activity.ts'
import type { Clocks } from '../time/test-clock.ts'
import type { TestRunner } from '../tools/test-runner.ts'
import { mintTokens } from './expired-tokens.ts'
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

/** What a user who granted nothing has: every model, and nothing else. */
const nothing: Grants = Object.assign({}, ...Object.values(denials), { models: undefined })

/** Whether grants have what a denial takes back. */
const has = (grants: Grants, denial: Grants): boolean =>
  !isDeepStrictEqual({ ...nothing, ...grants, ...denial }, { ...nothing, ...grants })

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
  readonly limits: Limits
  readonly installation: Installation
  /** Makes the host live so many ms in the past while something is done. */
  readonly inThePast: <T>(ms: number, work: () => Promise<T>) => Promise<T>
  /** Throws where the host of the test is closed: `call` is what the test called. */
  readonly checkOpen: (call: string) => void
}

/**
 * Makes the faults of a test host, by name. Each resolves when what follows from it at once has happened, and throws a
 * TestHostError where it would do nothing; those that wait for a request or a frame are told of at the end of the test.
 */
export function openFaults(parts: FaultParts) {
  const { host, clocks, activity, network, runner, store, quotas, limits, installation, checkOpen } = parts
  const { user, appId } = installation
  /** How long ago a token was made that has expired by now. */
  const expiredMs = limits.WINDOW_TOKEN_TTL_MS + limits.TOKEN_SKEW_MS + 1_000
  let grants = installation.grants

  return {
    /**
     * Loses one frame of a run on its way to the page, by its `seq`: the first of a run is 1. @throws TestHostError for a
     * number that no frame has.
     *
     * @example
     * ```ts
     * host.fault.loseFrame(3)
     * ```
     */
    loseFrame(seq: number): void {
      checkOpen('fault.loseFrame')
      if (!Number.isSafeInteger(seq) || seq < 1)
        throw new TestHostError(
          `loseFrame takes the number of a frame of at least 1, got ${seq}`,
          'The frames of a run are numbered from 1.',
        )
      network.faults.lostFrames.push(seq)
    },
    /**
     * Ends the processes of a plugin, as a crash does. @throws TestHostError for one that has no tools in this test, and
     * where no process of it runs.
     */
    async killPlugin(plugin: string): Promise<void> {
      checkOpen('fault.killPlugin')
      if (!runner.names.includes(plugin))
        throw new TestHostError(
          `killPlugin: no tools were given of a plugin ${JSON.stringify(plugin)}`,
          `The test gave tools of: ${runner.names.join(', ') || 'none'}.`,
        )
      await activity.settled()
      if (!(await runner.kill(plugin)))
        throw new TestHostError(
          `killPlugin: no process of ${JSON.stringify(plugin)} runs`,
          'Call a tool of it first: its process starts with the first call.',
        )
      await activity.settled()
    },
    /**
     * Lets the tokens of all windows expire: the next request of each is refused with `invalid_token`. @throws
     * TestHostError where no window is open.
     */
    async expireToken(): Promise<void> {
      checkOpen('fault.expireToken')
      const tokens = await parts.inThePast(expiredMs, () => mintTokens(host, user))
      if (tokens.size === 0)
        throw new TestHostError(
          'expireToken: no window is open',
          'Open one first: tokens are those of windows.',
        )
      network.faults.idle.set('expireToken', 'expireToken()')
      for (const [windowUuid, token] of tokens) network.faults.expiredTokens.set(windowUuid, token)
    },
    /** Uses up what the user may use of something in a day (UTC). @throws TestHostError for a name that is no quota. */
    async spendQuota(quota: SpendableQuota): Promise<void> {
      checkOpen('fault.spendQuota')
      if (!spendableQuotas.includes(quota))
        throw new TestHostError(
          `spendQuota: there is no quota ${JSON.stringify(quota)}`,
          `There are: ${spendableQuotas.join(', ')}.`,
        )
      await spendQuota({ store, clock: clocks.host, quotas }, { userId: user, appId }, quota)
    },
    /** Breaks the event streams of the page. @throws TestHostError where none is open. */
    async cutStream(): Promise<void> {
      checkOpen('fault.cutStream')
      await activity.settled()
      if (network.breakStreams('the stream was cut') === 0)
        throw new TestHostError(
          'cutStream: no event stream is open',
          'The page opens one with its first window, and a second after it was cut.',
        )
      await activity.settled()
    },
    /**
     * Takes a grant back; windows that are open go on. @throws TestHostError for a name that is no grant, and for one that
     * the user has not granted.
     */
    async denyGrant(grant: GrantName): Promise<void> {
      checkOpen('fault.denyGrant')
      if (!Object.hasOwn(denials, grant))
        throw new TestHostError(
          `denyGrant: there is no grant ${JSON.stringify(grant)}`,
          `There are: ${Object.keys(denials).join(', ')}. What the manifest does not list is denied without a grant.`,
        )
      if (!has(grants, denials[grant]))
        throw new TestHostError(
          `denyGrant: the user has not granted ${grant}`,
          `The app is without it from the start: give it with grants: { ${Object.keys(denials[grant])[0]}: … } of createTestHost.`,
        )
      grants = { ...grants, ...denials[grant] }
      await installWith(host, installation, grants)
    },
    /** Lets each request reach the host `ms` later; 0 ends it. @throws TestHostError for what is no time. */
    slowHost(ms: number): void {
      checkOpen('fault.slowHost')
      if (!Number.isFinite(ms) || ms < 0)
        throw new TestHostError(
          `slowHost takes ms of at least 0, got ${ms}`,
          'host.fault.slowHost(0) ends what another began.',
        )
      network.faults.delayMs = ms
      if (ms > 0) network.faults.idle.set('slowHost', `slowHost(${ms})`)
    },
    /** Lets the host go away: what is under way breaks, and nothing reaches it until `hostBack`. */
    async hostGone(): Promise<void> {
      checkOpen('fault.hostGone')
      network.faults.isGone = true
      if (network.breakAll('the host is gone') === 0) network.faults.idle.set('hostGone', 'hostGone()')
      await activity.settled()
    },
    /** Lets the host be reached again, with all that it had. */
    async hostBack(): Promise<void> {
      checkOpen('fault.hostBack')
      network.faults.isGone = false
      await activity.settled()
    },
  } satisfies Record<FaultName, (...args: never[]) => unknown>
}

/** The faults of a test host, by name: docs/reference/faults.md has what the app sees of each. */
export type Faults = ReturnType<typeof openFaults>
