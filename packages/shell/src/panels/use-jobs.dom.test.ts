import { BridgeError } from '@svc/bridge'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Desk } from '../desk/desk.ts'
import { SAY_GAP_MS } from '../state/gather-news.ts'
import { type JobsState, noJobs } from '../state/jobs.ts'
import { READ_GAP_MS } from '../state/queries.ts'
import type { FakeHost } from '../testing/fake-host.ts'
import { after, jobOf, START } from '../testing/job.ts'
import {
  find,
  happen,
  type OpenPage,
  openPage,
  press,
  submitForm,
  textOf,
  typeInto,
} from '../testing/page.ts'
import { JOBS, JOBS_PANEL, READ_OPEN_MS, READ_SHUT_MS } from './use-jobs.ts'

let host: FakeHost
let desk: Desk
let page: OpenPage

beforeEach(async () => {
  page = await openPage(undefined, { begins: false })
  ;({ host, desk } = page)
})
afterEach(() => page.close())

const pass = (ms: number) => page.pass(ms)
const begin = () => happen(() => desk.begin())
const jobs = () => desk.queries.getQueryData<JobsState>(JOBS) ?? noJobs
const problem = () => desk.queries.getQueryState(JOBS)?.error?.message ?? null
const shown = () => jobs().list.map(({ jobId, state }) => `${Number(jobId.slice(-3))} ${state}`)
const open = () => happen(() => desk.setPanel(JOBS_PANEL))
const event = (terminal = false) => happen(() => host.emit('tool_job', { terminal }))

describe('the list of jobs', () => {
  it('is read at the sign-in, whole', async () => {
    host.jobs = [jobOf(1), jobOf(2, { state: 'failed' })]
    await begin()
    await pass(0)
    expect(shown()).toEqual(['1 running', '2 failed'])
  })

  it('is read whole again where such a read was cut off', async () => {
    await begin()
    await pass(0)
    host.reads.length = 0
    const active = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    host.holdJobs = active.promise
    await event(true)
    await pass(READ_GAP_MS)
    host.holdJobs = ended.promise
    await happen(() => active.resolve())
    expect(host.reads).toEqual(['active', 'ended'])
    host.holdJobs = null
    await happen(() => void desk.queries.invalidateQueries({ queryKey: JOBS }))
    await happen(() => ended.resolve())
    await pass(0)
    expect(host.reads).toEqual(['active', 'ended', 'active', 'ended'])
  })

  it('is not read before', async () => {
    host.user = null
    await begin()
    await event()
    await pass(60_000)
    expect(host.reads).toEqual([])
    await happen(() => desk.signIn('eva', false))
    await pass(0)
    expect(host.reads).toEqual(['active', 'ended'])
    await event()
    await pass(READ_GAP_MS)
    expect(host.reads).toEqual(['active', 'ended', 'active'])
  })

  it('rests while nothing is active and nobody looks', async () => {
    host.jobs = [jobOf(1, { state: 'failed' })]
    await begin()
    await pass(3_600_000)
    expect(host.reads).toEqual(['active', 'ended'])
  })

  it.each([
    ['a shut panel', async () => undefined, READ_SHUT_MS],
    ['an open panel', open, READ_OPEN_MS],
  ])('is read again behind %s, the active ones only', async (_, act, ms) => {
    host.jobs = [jobOf(1)]
    await begin()
    await act()
    await pass(0)
    host.reads.length = 0
    await pass(ms - 1)
    expect(host.reads).toEqual([])
    await pass(1)
    expect(host.reads).toEqual(['active'])
  })

  it('is read for events once in a while, however many come', async () => {
    host.jobs = [jobOf(1)]
    await begin()
    await pass(READ_GAP_MS)
    host.reads.length = 0
    for (let at = 0; at < 100; at++) {
      await event()
      await pass(10)
    }
    expect(host.reads.length).toBe(Math.ceil(1_000 / READ_GAP_MS))
  })

  it('learns how a job ended that is not active any more', async () => {
    host.jobs = [jobOf(1)]
    await begin()
    await pass(0)
    host.jobs = [jobOf(1, { state: 'succeeded', result: { n: 1 } })]
    await event()
    await pass(READ_GAP_MS)
    expect(shown()).toEqual(['1 succeeded'])
  })

  it('learns of a job that began and ended between two readings', async () => {
    await begin()
    await pass(READ_GAP_MS)
    host.jobs = [jobOf(1, { state: 'succeeded' })]
    await event(true)
    await pass(0)
    expect(shown()).toEqual(['1 succeeded'])
  })

  it('is read again when somebody comes back to the page', async () => {
    await begin()
    await pass(0)
    host.jobs = [jobOf(1)]
    await happen(() => desk.queries.invalidateQueries())
    await pass(0)
    expect(shown()).toEqual(['1 running'])
  })

  it('counts the time by the clock of the host', async () => {
    host.jobs = [jobOf(1)]
    host.date = START + 60_000
    await begin()
    await pass(0)
    await open()
    await pass(1_000)
    expect(textOf('aside')).toContain('running for 1 min 1 s')
  })

  it('takes a difference below two seconds for none: dates count whole ones', async () => {
    host.date = START - 1_500
    await begin()
    await pass(0)
    expect(jobs().skew).toBe(0)
  })
})

describe('a host that goes away', () => {
  beforeEach(async () => {
    host.jobs = [jobOf(1), jobOf(2, { state: 'failed' })]
    await begin()
    await pass(0)
  })

  it('leaves no bar that looks alive, and none that it has forgotten', async () => {
    await happen(() => host.emit('host_lost'))
    expect(problem()).toBe('the host is gone')
    host.jobs = []
    await happen(() => host.emit('host_back'))
    await pass(0)
    expect([shown(), problem()]).toEqual([[], null])
  })

  it('is asked again, until it answers', async () => {
    host.trouble = new BridgeError({ code: 'host_unreachable', message: 'no answer' })
    await pass(READ_SHUT_MS)
    expect([problem(), shown()]).toEqual(['no answer', ['1 running', '2 failed']])
    host.trouble = null
    host.jobs = []
    await pass(READ_SHUT_MS)
    expect([problem(), shown()]).toEqual([null, []])
  })

  it('knows nobody any more: the remembered name signs in again', async () => {
    localStorage.setItem('svc.user', 'eva')
    host.user = null
    host.jobs = []
    await pass(READ_SHUT_MS)
    expect(host.asked).toEqual(['sign in eva'])
    await pass(READ_SHUT_MS)
    expect([problem(), shown()]).toEqual([null, []])
  })
})

it('shows nothing of the user before, not even what was on its way', async () => {
  host.jobs = [jobOf(1)]
  await begin()
  await pass(0)
  const { promise, resolve } = Promise.withResolvers<void>()
  host.holdJobs = promise
  await happen(() => void desk.queries.invalidateQueries())
  await happen(() => desk.changeName())
  host.jobs = [jobOf(7, { state: 'failed' })]
  await happen(() => desk.signIn('eva', false))
  expect(shown()).toEqual([])
  resolve()
  await pass(0)
  expect(shown()).toEqual(['7 failed'])
})

describe('what a screen reader is told', () => {
  const said = () => desk.store.get().said
  beforeEach(async () => {
    await begin()
    await pass(0)
  })

  it('is the state that a job came into, and no progress', async () => {
    host.jobs = [jobOf(1)]
    await event()
    await pass(READ_GAP_MS + SAY_GAP_MS)
    expect(said()).toBe('index of One is running')
    await happen(() => desk.say(''))
    host.jobs = [jobOf(1, { lastSeq: 5, lastHeartbeatAt: after(5_000) })]
    await event()
    await pass(READ_GAP_MS + SAY_GAP_MS)
    expect(said()).toBe('')
  })

  it('is said again when the same happens again', async () => {
    for (const n of [1, 2]) {
      host.jobs = [jobOf(n, { state: 'succeeded' }), ...host.jobs]
      await event(true)
      await pass(READ_GAP_MS + SAY_GAP_MS)
      expect(said().trim()).toBe('index of One succeeded')
    }
    expect(said()).not.toBe('index of One succeeded')
  })

  it('is one sentence for what happens at once', async () => {
    host.jobs = [jobOf(1), jobOf(2, { state: 'queued' })]
    await event()
    await pass(READ_GAP_MS)
    host.jobs = [jobOf(1), jobOf(2, { state: 'succeeded' })]
    await event(true)
    await pass(SAY_GAP_MS)
    expect(said()).toBe('index of One succeeded; index of One is running')
  })
})

describe('cancelling', () => {
  const { jobId } = jobOf(1)
  beforeEach(async () => {
    host.jobs = [jobOf(1)]
    await begin()
    await open()
    await press('Cancel index of One')
  })
  const submit = () => submitForm('aside form')

  it.each([
    ['with a reason', ' wrong folder ', `cancel ${jobId} wrong folder`, 'wrong folder'],
    ['without one', '  ', `cancel ${jobId}`, 'cancelled'],
  ])('goes %s', async (_, reason, asked, message) => {
    await typeInto(find('aside input'), reason)
    await submit()
    expect(host.asked).toEqual([asked])
    expect(jobs().list[0]?.error?.message).toBe(message)
  })

  it('is asked once, though pressed twice', async () => {
    const form = find<HTMLFormElement>('aside form')
    await happen(() => {
      form?.requestSubmit()
      form?.requestSubmit()
    })
    expect(host.asked).toHaveLength(1)
  })

  it('says of a job that ended meanwhile how it did', async () => {
    host.jobs = [jobOf(1, { state: 'succeeded' })]
    await submit()
    expect(desk.store.get().said).toBe('index of One could not be cancelled: it succeeded')
  })

  it('says in a notice what the host refuses', async () => {
    host.jobs = []
    await submit()
    expect(desk.store.get().notices).toMatchObject([
      { code: 'job_not_found', source: 'One · index', loud: true },
    ])
    expect(shown()).toEqual([])
  })
})
