import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits as table } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryBus } from '@svc/state'
import fc from 'fast-check'
import { expect } from 'vitest'
import { BUILTIN } from '../../machines/runners.ts'
import { type JobBed, type JobEvent, openJobBed, settled } from '../../testing/jobs.ts'
import { openMachines } from '../../testing/jobs-machines.ts'
import { answered, type RunningJob, type TestRunner } from '../../testing/jobs-runner.ts'
import { openWatchedStore } from '../../testing/jobs-store.ts'
import { type JobRow, jobs } from './job-row.ts'

const RUNS = rounds(2_000)
const DEADLINE_MS = 60_000
const KEPT = 4
const MACHINES = ['rnr_1', 'rnr_2'] as const
const me = { userId: 'ada', appId: 'app_1' }
const limits = { JOBS_RUNNING_PER_RUNNER: 2, JOBS_KEPT_PER_APP: KEPT }

/** Hosts over one store and bus, and machines that connect to them. Time goes by for those that are not silent. */
function openScene() {
  const start = frozenClock().now()
  const { store, ...watched } = openWatchedStore()
  const bus = memoryBus({ clock: frozenClock() })
  const events: JobEvent[] = []
  const ids: string[] = []
  const machines = openMachines()
  const hosts: { bed: JobBed; isClosed: boolean; isSilent: boolean; sweeping: Promise<void> }[] = []
  let gone = 0

  const pick = <T>(from: readonly T[], n: number): T | undefined => from[n % from.length]
  const open = () => {
    const bed = openJobBed({
      store,
      bus,
      events,
      limits,
      machines,
      clock: frozenClock(start + gone),
    })
    hosts.push({ bed, isClosed: false, isSilent: false, sweeping: Promise.resolve() })
  }
  const alive = () => hosts.filter(({ isClosed }) => !isClosed)
  const awake = () => alive().filter(({ isSilent }) => !isSilent)
  const running = (): RunningJob[] =>
    hosts.flatMap(({ bed }) => startedAt(bed).filter((one) => !one.hasEnded()))
  /** A host sweeps one sweep after the other, whoever asks. */
  const sweep = (host: (typeof hosts)[number]) => {
    host.sweeping = host.sweeping.then(() => host.bed.jobs.sweep())
    return host.sweeping
  }
  async function pass(ms: number): Promise<void> {
    gone += ms
    for (const { bed } of awake()) await bed.clock.advance(start + gone - bed.clock.now())
    await Promise.all(awake().map(sweep))
  }
  /** Of several links of a machine the hosts have found out which is dead: all but that of the highest epoch. */
  function cutDead(): void {
    for (const id of MACHINES) {
      const links = hosts.flatMap(({ bed: { runners } }) => {
        const link = runners.held().find((one) => one.id === id)
        return link ? [{ runners, epoch: link.epoch }] : []
      })
      const newest = Math.max(...links.map(({ epoch }) => epoch))
      for (const { runners, epoch } of links) if (epoch < newest) runners.cut(id)
    }
  }
  const parts = { store, events, ids, hosts, machines }
  return { ...watched, ...parts, pick, open, alive, awake, running, sweep, pass, cutDead }
}
/** What was started at a host, on its own runner and on every link that it had. */
const startedAt = ({ runner, runners }: JobBed): readonly RunningJob[] =>
  [runner, ...runners.made.map((link) => link.runner)].flatMap(({ started }) => started)

type Scene = ReturnType<typeof openScene>

/** What may happen, in any order and at any distance; `n` says to which host or job. */
const happenings = {
  start: async ({ pick, alive, ids }: Scene, n: number) => {
    const id = await pick(alive(), n)?.bed.start({ timeoutMs: DEADLINE_MS })
    if (id) ids.push(id)
  },
  startThere: async ({ pick, alive, ids }: Scene, n: number) => {
    const bed = pick(alive(), n)?.bed
    const id = await bed?.start({
      timeoutMs: DEADLINE_MS,
      on: n % 3 === 0 ? MACHINES : [MACHINES[n % 2] ?? ''],
    })
    if (id) ids.push(id)
  },
  linkBack: ({ pick, alive, machines }: Scene, n: number) => {
    const id = MACHINES[n % 2] ?? ''
    if (!machines.isRevoked(id)) pick(alive(), n >> 1)?.bed.runners.connect(id)
  },
  linkLost: ({ pick, alive }: Scene, n: number) =>
    pick(alive(), n >> 1)?.bed.runners.cut(MACHINES[n % 2] ?? ''),
  revoked: ({ pick, alive, machines }: Scene, n: number) => {
    const id = MACHINES[n % 2] ?? ''
    machines.revoke(id)
    return pick(alive(), n >> 1)?.bed.jobs.reconcile('ada', id)
  },
  result: ({ pick, running }: Scene, n: number) => pick(running(), n)?.end(answered({})),
  progress: ({ pick, running }: Scene, n: number) => pick(running(), n)?.tell(n),
  heartbeat: ({ pick, running }: Scene, n: number) => pick(running(), n)?.onHeartbeat(),
  cancel: ({ pick, alive, ids }: Scene, n: number) =>
    pick(alive(), n >> 2)?.bed.jobs.cancel(me, pick(ids, n) ?? ''),
  read: ({ pick, alive, ids }: Scene, n: number) =>
    pick(alive(), n)?.bed.jobs.get(me, pick(ids, n) ?? '', { after: 0, limit: 9 }),
  list: ({ pick, alive }: Scene, n: number) => pick(alive(), n)?.bed.jobs.list(me, { limit: 9 }),
  second: ({ pass }: Scene) => pass(table.HOST_BEAT_MS),
  silence: ({ pick, alive }: Scene, n: number) => {
    const host = pick(alive(), n)
    if (host) host.isSilent = !host.isSilent
  },
  close: ({ pick, alive }: Scene, n: number) => {
    const host = alive().length > 1 ? pick(alive(), n) : undefined
    if (host) host.isClosed = true
    return host?.bed.close()
  },
  open: ({ open, alive }: Scene) => alive().length < 3 && open(),
  lostSwap: ({ next }: Scene) => void next.lose++,
  brokenStore: ({ next }: Scene) => void next.fail++,
  lostAnswer: ({ next }: Scene) => void next.deafen++,
} as const
type Happening = keyof typeof happenings
const names: readonly Happening[] = [
  ...(Object.keys(happenings) as Happening[]),
  'start',
  'start',
  'second',
  'startThere',
  'startThere',
  'startThere',
  'linkBack',
  'linkBack',
]

const script = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat({ max: 15 }), fc.nat({ max: 14 })), {
  minLength: 1,
  maxLength: 30,
})

/** The host that a machine is revoked at closes before it has failed the jobs that wait for the machine. */
const closesWhileRevoked: [Happening, number, number][] = [
  ['startThere', 0, 8],
  ['start', 0, 2],
  ['revoked', 0, 0],
  ['close', 0, 0],
  ['start', 0, 0],
]

const activeRows = async ({ store }: Scene): Promise<readonly { id: string; row: JobRow }[]> =>
  (await store.scan(jobs, 'activeByUser', { eq: ['ada'], limit: 99 })).rows

const isOnline = (scene: Scene, runnerId: string): boolean =>
  runnerId === BUILTIN ||
  scene.alive().some(({ bed }) => bed.runners.held().some(({ id }) => id === runnerId))

/** Whether a job runs at a host, on a link that is there. */
const isRun = (scene: Scene, jobId: string, { runner_id }: JobRow): boolean =>
  scene.awake().some(({ bed: { runner, runners } }) => {
    const link = runners.held().find(({ id }) => id === runner_id)
    const { started } = runner_id === BUILTIN ? runner : ((link?.runner ?? { started: [] }) as TestRunner)
    return started.some((job) => job.jobId === jobId && !job.hasEnded())
  })

async function play(steps: readonly (readonly [Happening, number, number])[]): Promise<Scene> {
  const scene = openScene()
  scene.open()
  scene.open()
  for (const id of MACHINES) scene.hosts[0]?.bed.runners.connect(id)
  const under: unknown[] = []
  for (const [name, n, turns] of steps) {
    const happening = async () => happenings[name](scene, n)
    // A caller whose store broke, or whose host closes, is told so; every job must end all the same.
    under.push(happening().catch(() => {}))
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
  }
  await Promise.all(under)
  await settled()
  Object.assign(scene.next, { lose: 0, fail: 0, deafen: 0 })
  for (const host of scene.hosts) host.isSilent = false
  scene.cutDead()
  for (let second = 0; second < 6; second += 1) await scene.pass(table.HOST_BEAT_MS)
  for (const job of scene.running()) job.onHeartbeat()
  await settled()
  return scene
}

verifies(
  [
    'decision.job.one_end',
    'decision.host_crash.running',
    'decision.host_crash.waiting',
    'wall.jobs.kept',
    'decision.runner.job_lost',
    'decision.runner.job_back',
    'decision.runner.job_fenced',
    'decision.runner.job_revoked',
  ],
  'whatever hosts and machines do to jobs, none is run twice, lost or left waiting, and each ends once',
  async () => {
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        const scene = await play(steps)
        const rows = await activeRows(scene)
        for (const { id, row } of rows)
          if (row.state === 'running') expect([id, isRun(scene, id, row)]).toEqual([id, true])
        for (const runner of [BUILTIN, ...MACHINES]) {
          const bound = rows.filter(({ row }) => row.runner_id === runner)
          const waiting = bound.filter(({ row }) => row.state === 'queued').length
          if (scene.machines.isRevoked(runner)) expect(bound).toEqual([])
          if (waiting > 0 && isOnline(scene, runner)) expect(bound.length - waiting).toBeGreaterThanOrEqual(2)
        }

        await scene.pass(DEADLINE_MS)
        await scene.pass(table.HOST_BEAT_MS)
        expect(await activeRows(scene)).toEqual([])
        for (const ends of scene.ended.values()) expect(ends).toHaveLength(1)
        expect(scene.mostActive()).toBeLessThanOrEqual(table.JOBS_ACTIVE_PER_USER)
        const kept = await scene.store.scan(jobs, 'endedByApp', { limit: 99 })
        expect(kept.rows.length).toBeLessThanOrEqual(KEPT)
        const started = scene.hosts.flatMap(({ bed }) => startedAt(bed).map(({ jobId }) => jobId))
        expect(new Set(started).size).toBe(started.length)
        for (const id of scene.ended.keys()) {
          const told = scene.events.filter(({ job_id }) => job_id === id)
          const end = told.findIndex(({ terminal }) => terminal)
          expect([-1, told.length - 1]).toContain(end)
        }

        for (const { bed } of scene.alive()) await bed.close()
        await settled()
        for (const { bed } of scene.hosts) {
          expect(bed.clock.timers).toBe(0)
          expect(await (await bed.metrics.registry()).getSingleMetricAsString('svc_jobs_active')).toMatch(
            / 0$/,
          )
        }
      }),
      { numRuns: RUNS, examples: [[closesWhileRevoked]] },
    )
  },
)
