import { BridgeError } from '@svc/bridge'
import { beforeEach, describe, expect, it } from 'vitest'
import { SAY_GAP_MS } from '../state/gather-news.ts'
import { openMemory } from '../state/memory.ts'
import { READ_GAP_MS } from '../state/pace.ts'
import { type StillClock, stillClock } from '../testing/clock.ts'
import { type FakeHost, fakeHost } from '../testing/fake-bridge.ts'
import { after, jobOf, START } from '../testing/job.ts'
import { createDesk, type Desk } from './desk.ts'
import { JOBS_PANEL, READ_OPEN_MS, READ_SHUT_MS } from './follow-jobs.ts'

let host: FakeHost
let clock: StillClock
let desk: Desk
let storage: Map<string, string>

beforeEach(() => {
  host = fakeHost()
  clock = stillClock()
  storage = new Map()
  const memory = openMemory({
    getItem: (name) => storage.get(name) ?? null,
    setItem: (name, text) => void storage.set(name, text),
    removeItem: (name) => void storage.delete(name),
  })
  desk = createDesk({ ...host, ...clock, memory, locale: 'en' })
})

const jobs = () => desk.store.get().jobs
const shown = () => jobs().list.map(({ jobId, state }) => `${Number(jobId.slice(-3))} ${state}`)
const open = () => desk.setPanel(JOBS_PANEL)
const event = (terminal = false) => host.emit('tool_job', { terminal })

describe('the list of jobs', () => {
  it('is read at the sign-in, whole', async () => {
    host.jobs = [jobOf(1), jobOf(2, { state: 'failed' })]
    await desk.begin()
    await clock.pass(0)
    expect(shown()).toEqual(['1 running', '2 failed'])
  })

  it('is not read before', async () => {
    host.user = null
    await desk.begin()
    event()
    await clock.pass(60_000)
    expect(host.reads).toEqual([])
    await desk.signIn('eva', false)
    await clock.pass(0)
    expect(host.reads).toEqual(['active', 'ended'])
    event()
    await clock.pass(READ_GAP_MS)
    expect(host.reads).toEqual(['active', 'ended', 'active'])
  })

  it('rests while nothing is active and nobody looks', async () => {
    host.jobs = [jobOf(1, { state: 'failed' })]
    await desk.begin()
    await clock.pass(3_600_000)
    expect(host.reads).toEqual(['active', 'ended'])
  })

  it.each([
    ['a shut panel', () => undefined, READ_SHUT_MS],
    ['an open panel', open, READ_OPEN_MS],
  ])('is read again behind %s, the active ones only', async (_, act, ms) => {
    host.jobs = [jobOf(1)]
    await desk.begin()
    act()
    await clock.pass(0)
    host.reads.length = 0
    await clock.pass(ms - 1)
    expect(host.reads).toEqual([])
    await clock.pass(1)
    expect(host.reads).toEqual(['active'])
  })

  it('is read for events once in a while, however many come', async () => {
    host.jobs = [jobOf(1)]
    await desk.begin()
    await clock.pass(READ_GAP_MS)
    host.reads.length = 0
    for (let at = 0; at < 100; at++) {
      event()
      await clock.pass(10)
    }
    expect(host.reads.length).toBe(Math.ceil(1_000 / READ_GAP_MS))
  })

  it('learns how a job ended that is not active any more', async () => {
    host.jobs = [jobOf(1)]
    await desk.begin()
    await clock.pass(0)
    host.jobs = [jobOf(1, { state: 'succeeded', result: { n: 1 } })]
    event()
    await clock.pass(READ_GAP_MS)
    expect(shown()).toEqual(['1 succeeded'])
  })

  it('learns of a job that began and ended between two readings', async () => {
    await desk.begin()
    await clock.pass(READ_GAP_MS)
    host.jobs = [jobOf(1, { state: 'succeeded' })]
    event(true)
    await clock.pass(0)
    expect(shown()).toEqual(['1 succeeded'])
  })

  it('is read again when somebody comes back to the page', async () => {
    await desk.begin()
    await clock.pass(0)
    host.jobs = [jobOf(1)]
    desk.readLists()
    await clock.pass(0)
    expect(shown()).toEqual(['1 running'])
  })

  it('counts the time by the clock of the host', async () => {
    host.jobs = [jobOf(1)]
    host.date = START + 60_000
    await desk.begin()
    await clock.pass(0)
    open()
    await clock.pass(1_000)
    expect(jobs().shownAt).toBe(START + 61_000)
  })

  it('takes a difference below two seconds for none: dates count whole ones', async () => {
    host.date = START - 1_500
    await desk.begin()
    await clock.pass(0)
    expect(jobs().readAt).toBe(START)
  })
})

describe('a host that goes away', () => {
  beforeEach(async () => {
    host.jobs = [jobOf(1), jobOf(2, { state: 'failed' })]
    await desk.begin()
    await clock.pass(0)
  })

  it('leaves no bar that looks alive, and none that it has forgotten', async () => {
    host.emit('host_lost')
    expect(jobs().problem).toBe('the host is gone')
    host.jobs = []
    host.emit('host_back')
    await clock.pass(0)
    expect([shown(), jobs().problem]).toEqual([[], null])
  })

  it('is asked again, until it answers', async () => {
    host.trouble = new BridgeError({ code: 'host_unreachable', message: 'no answer' })
    await clock.pass(READ_SHUT_MS)
    expect([jobs().problem, shown()]).toEqual(['no answer', ['1 running', '2 failed']])
    host.trouble = null
    host.jobs = []
    await clock.pass(READ_SHUT_MS)
    expect([jobs().problem, shown()]).toEqual([null, []])
  })

  it('knows nobody any more: the remembered name signs in again', async () => {
    storage.set('svc.user', 'eva')
    host.user = null
    host.jobs = []
    await clock.pass(READ_SHUT_MS)
    expect(host.asked).toEqual(['sign in eva'])
    await clock.pass(READ_SHUT_MS)
    expect([jobs().problem, shown()]).toEqual([null, []])
  })
})

it('shows nothing of the user before, not even what was on its way', async () => {
  host.jobs = [jobOf(1)]
  await desk.begin()
  await clock.pass(0)
  const { promise, resolve } = Promise.withResolvers<void>()
  host.holdJobs = promise
  desk.readLists()
  desk.changeName()
  await desk.signIn('eva', false)
  expect(shown()).toEqual([])
  host.jobs = [jobOf(7, { state: 'failed' })]
  resolve()
  await clock.pass(0)
  expect(shown()).toEqual(['7 failed'])
})

describe('what a screen reader is told', () => {
  const said = () => desk.store.get().said
  beforeEach(async () => {
    await desk.begin()
    await clock.pass(0)
  })

  it('is the state that a job came into, and no progress', async () => {
    host.jobs = [jobOf(1)]
    event()
    await clock.pass(READ_GAP_MS + SAY_GAP_MS)
    expect(said()).toBe('index of One is running')
    desk.say('')
    host.jobs = [jobOf(1, { lastSeq: 5, lastHeartbeatAt: after(5_000) })]
    event()
    await clock.pass(READ_GAP_MS + SAY_GAP_MS)
    expect(said()).toBe('')
  })

  it('is said again when the same happens again', async () => {
    for (const n of [1, 2]) {
      host.jobs = [jobOf(n, { state: 'succeeded' }), ...host.jobs]
      event(true)
      await clock.pass(READ_GAP_MS + SAY_GAP_MS)
      expect(said().trim()).toBe('index of One succeeded')
    }
    expect(said()).not.toBe('index of One succeeded')
  })

  it('is one sentence for what happens at once', async () => {
    host.jobs = [jobOf(1), jobOf(2, { state: 'queued' })]
    event()
    await clock.pass(READ_GAP_MS)
    host.jobs = [jobOf(1), jobOf(2, { state: 'succeeded' })]
    event(true)
    await clock.pass(SAY_GAP_MS)
    expect(said()).toBe('index of One succeeded; index of One is running')
  })
})

describe('cancelling', () => {
  beforeEach(async () => {
    host.jobs = [jobOf(1)]
    await desk.begin()
    await clock.pass(0)
  })
  const { jobId } = jobOf(1)

  it.each([
    ['with a reason', ' wrong folder ', `cancel ${jobId} wrong folder`, 'wrong folder'],
    ['without one', '  ', `cancel ${jobId}`, 'cancelled'],
  ])('goes %s', async (_, reason, asked, message) => {
    await desk.cancelJob(jobId, reason)
    await clock.pass(0)
    expect(host.asked).toEqual([asked])
    expect(jobs().list[0]?.error?.message).toBe(message)
    expect(jobs().cancelling).toEqual([])
  })

  it('is asked once, though pressed twice', async () => {
    await Promise.all([desk.cancelJob(jobId, ''), desk.cancelJob(jobId, '')])
    expect(host.asked).toHaveLength(1)
  })

  it('says of a job that ended meanwhile how it did', async () => {
    host.jobs = [jobOf(1, { state: 'succeeded' })]
    await desk.cancelJob(jobId, '')
    expect(desk.store.get().said).toBe('index of One could not be cancelled: it succeeded')
  })

  it('says in a notice what the host refuses', async () => {
    host.jobs = []
    await desk.cancelJob(jobId, '')
    await clock.pass(0)
    expect(desk.store.get().notices).toMatchObject([
      { code: 'job_not_found', source: 'One · index', loud: true },
    ])
    expect([shown(), jobs().cancelling]).toEqual([[], []])
  })
})
