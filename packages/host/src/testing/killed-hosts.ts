import { limits } from '@svc/contract'
import { pause } from '@svc/node'
import { memoryBlobs, memoryStore } from '@svc/state'
import fc from 'fast-check'
import { dropBundles } from '../apps/drop-bundles.ts'
import { dropAppFiles } from '../data/app-files/drop.ts'
import { finishDrops } from '../data/app-files/uses.ts'
import { dropFiles } from '../data/uploads/drop.ts'
import { mortalPorts } from './mortal-ports.ts'
import { type TestServices, testServices } from './services.ts'
import { wrongBytes } from './wrong-bytes.ts'

/** Ids that a host may draw before those of the next one begin. */
const IDS = 1_000
/** In which whoever waits for a host that was killed must have gone on. */
const BEATS = 20
/** Turns of the event loop in which nobody asks anything once all wait for time to pass. */
const QUIET_TURNS = 20
/** Seldom enough that an hour is not thousands of them. */
const BEAT_MS = limits.BUNDLE_KEEP_MS / 10
/** Later than the clock of any host of a history. */
const LATER_MS = 2 * limits.BUNDLE_KEEP_MS + BEATS * BEAT_MS
const seldom = { HOST_BEAT_MS: BEAT_MS, HOST_DEAD_MS: 3 * BEAT_MS }
export const NEVER = Number.POSITIVE_INFINITY

/** Opens ports that outlive their hosts, and the bytes that they keep. */
export function openDisk() {
  const kept = new Map<string, Uint8Array>()
  return { store: memoryStore(), blobs: memoryBlobs(kept), kept }
}

/** Ports that outlive their hosts. */
export type Disk = ReturnType<typeof openDisk>

/** Opens host number `at` on them; with `last` it is killed with that call. */
export function hostOn(
  disk: Pick<Disk, 'store' | 'blobs'>,
  at: number,
  last = NEVER,
  wait?: (method: string) => Promise<void>,
) {
  const { calls, kill, ...ports } = mortalPorts(disk, last, wait)
  return { services: testServices({ ...ports, drawn: at * IDS, limits: seldom }), calls, kill }
}

type OpenedHost = ReturnType<typeof hostOn>

/** Drops what nobody needs, after all that was interrupted is due, by the clock of whatever host. */
export async function sweep(services: TestServices): Promise<void> {
  await services.clock.advance(LATER_MS)
  for (const drop of [dropBundles, dropFiles, dropAppFiles, finishDrops]) await drop(services)
}

/** What a host may do; its refusals are of no interest. */
export type Happenings = Readonly<Record<string, (services: TestServices) => Promise<unknown>>>

/** Of which processes a history is; the first may be killed. */
const casts = ['two hosts', 'two hosts, one of them killed', 'one host that is killed'] as const

/** One history of hosts. */
export interface History {
  readonly cast: (typeof casts)[number]
  /** Which host does what, and how many turns later the next one begins. */
  readonly steps: readonly (readonly [host: number, name: string, turns: number])[]
  /** With which call the first host is killed, if it is. */
  readonly last: number
  /** Turns that removals of bytes take, and those of all other calls one after the other. */
  readonly removal: number
  readonly others: readonly number[]
}

/** Draws histories. */
export const historiesOf = (happenings: Happenings, turnsMax: number, lastMax: number) =>
  fc.record<History>({
    cast: fc.constantFrom(...casts),
    steps: fc.array(
      fc.tuple(fc.nat({ max: 1 }), fc.constantFrom(...Object.keys(happenings)), fc.nat({ max: turnsMax })),
      { minLength: 2, maxLength: 10 },
    ),
    last: fc.integer({ min: 1, max: lastMax }),
    removal: fc.nat({ max: turnsMax }),
    others: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 7 }),
  })

/**
 * Plays a history an hour after what was done before, in turns of which each waits for `turn`, and sweeps. Returns what is
 * wrong with the bytes in the end.
 */
export async function playHistory(
  disk: Disk,
  happenings: Happenings,
  { cast, steps, last, removal, others }: History,
  turn: () => Promise<void>,
): Promise<string[]> {
  const wait = async (turns: number) => {
    for (let done = 0; done < turns; done += 1) await turn()
  }
  let asked = 0
  const slow = (method: string) => {
    asked += 1
    return wait(method === 'blobs.remove' ? removal : (others[asked % others.length] ?? 0))
  }
  const first = hostOn(disk, 1, cast === 'two hosts' ? NEVER : last, slow)
  const second = hostOn(disk, 2, NEVER, slow)
  await playSteps([first, cast === 'one host that is killed' ? first : second], happenings, steps, wait)
  const left =
    cast === 'one host that is killed'
      ? hostOn({ ...disk, store: { ...disk.store, isExclusive: true } }, 2)
      : second
  await sweep(left.services)
  return wrongBytes(disk.store, disk.kept)
}

async function playSteps(
  hosts: readonly [OpenedHost, OpenedHost],
  happenings: Happenings,
  steps: History['steps'],
  wait: (turns: number) => Promise<void>,
): Promise<void> {
  const advance = async (ms: number) => {
    for (const { services } of new Set(hosts)) await services.clock.advance(ms)
  }
  async function quiet(): Promise<void> {
    for (let turns = 0, before = -1; turns < QUIET_TURNS; turns += 1) {
      const now = hosts[0].calls() + hosts[1].calls()
      if (now !== before) turns = 0
      before = now
      await pause()
    }
  }
  await advance(limits.BUNDLE_KEEP_MS)
  const under = new Set<Promise<unknown>>()
  for (const [at, name, turns] of steps) {
    const happened = Promise.resolve(happenings[name]?.(hosts[at === 0 ? 0 : 1].services))
    // Who comes too late is refused; what counts is what is there in the end.
    const done = happened.catch(() => {}).finally(() => under.delete(done))
    under.add(done)
    await wait(turns)
  }
  await quiet()
  for (let beat = 0; under.size > 0; beat += 1) {
    if (beat > BEATS) throw new Error('a host waits for what never comes')
    await advance(BEAT_MS)
    await quiet()
  }
}
