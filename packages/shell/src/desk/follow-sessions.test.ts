import { BridgeError } from '@svc/bridge'
import { beforeEach, describe, expect, it } from 'vitest'
import { SAY_GAP_MS } from '../state/gather-news.ts'
import { openMemory } from '../state/memory.ts'
import { READ_GAP_MS } from '../state/pace.ts'
import { type StillClock, stillClock } from '../testing/clock.ts'
import { type FakeHost, fakeHost } from '../testing/fake-bridge.ts'
import { START } from '../testing/job.ts'
import { endedOf, sessionId, sessionOf } from '../testing/session.ts'
import { createDesk, type Desk } from './desk.ts'
import { READ_SESSIONS_MS, SESSIONS_PANEL } from './follow-sessions.ts'

let host: FakeHost
let clock: StillClock
let desk: Desk
let storage: Map<string, string>

beforeEach(async () => {
  host = fakeHost()
  clock = stillClock()
  storage = new Map()
  const memory = openMemory({
    getItem: (name) => storage.get(name) ?? null,
    setItem: (name, text) => void storage.set(name, text),
    removeItem: (name) => void storage.delete(name),
  })
  desk = createDesk({ ...host, ...clock, memory, locale: 'en' })
  await desk.begin()
  await clock.pass(0)
})

const sessions = () => desk.store.get().sessions
const shown = () =>
  sessions().list.map(({ app_session_uuid, state }) => `${Number(app_session_uuid.slice(-3))} ${state}`)
const frame = (event: string) => host.emit('rpc.stream', { stream_id: 'strm_1', seq: 1, payload: { event } })
async function open() {
  desk.setPanel(SESSIONS_PANEL)
  await clock.pass(0)
}
async function shut() {
  desk.setPanel(null)
  await clock.pass(0)
}

describe('a shut panel', () => {
  it('asks nothing, whatever happens', async () => {
    host.sessions = [sessionOf(1, { active_runs: 1 })]
    desk.open('app-1')
    for (const event of ['queued', 'end']) frame(event)
    for (const event of ['host_back', 'reset'] as const) host.emit(event)
    desk.readLists()
    await clock.pass(86_400_000)
    expect(host.sessionReads).toEqual([])
  })

  it('ends the asking, and forgets the list', async () => {
    host.sessions = [sessionOf(1, { idle_expires_in: 3 })]
    await open()
    expect(shown()).toEqual(['1 active'])
    await shut()
    await clock.pass(86_400_000)
    expect([host.sessionReads, shown(), sessions().readAt]).toEqual([['active'], [], null])
  })

  it('drops what was on its way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    host.sessions = [sessionOf(1)]
    host.holdSessions = promise
    await open()
    await shut()
    resolve()
    await clock.pass(0)
    expect(shown()).toEqual([])
  })
})

describe('an open panel', () => {
  beforeEach(async () => {
    host.sessions = [sessionOf(1)]
    await open()
    host.sessionReads.length = 0
  })

  it('asks slowly', async () => {
    await clock.pass(READ_SESSIONS_MS - 1)
    expect(host.sessionReads).toEqual([])
    await clock.pass(1)
    expect(host.sessionReads).toEqual(['active'])
  })

  it.each(['queued', 'started', 'end'])('asks once for a swarm of frames %s', async (event) => {
    await clock.pass(READ_GAP_MS)
    for (let n = 0; n < 100; n++) frame(event)
    await clock.pass(READ_GAP_MS)
    expect(host.sessionReads).toEqual(['active'])
  })

  it.each(['sse', 'keepalive', 'run_meta', 'error'])('asks nothing for a frame %s', async (event) => {
    frame(event)
    await clock.pass(READ_GAP_MS)
    expect(host.sessionReads).toEqual([])
  })

  it.each(['host_back', 'reset'] as const)('asks at %s', async (event) => {
    host.emit(event)
    await clock.pass(0)
    expect(host.sessionReads).toEqual(['active'])
  })

  it('asks when somebody comes back to the page', async () => {
    desk.readLists()
    await clock.pass(0)
    expect(host.sessionReads).toEqual(['active'])
  })

  it('asks for all of them where the ended ones are to be seen', async () => {
    host.sessions = [sessionOf(2), endedOf(1, 'expired')]
    desk.showEndedSessions(true)
    await clock.pass(0)
    expect([host.sessionReads, shown()]).toEqual([
      ['active', 'all'],
      ['2 active', '1 expired'],
    ])
    desk.showEndedSessions(false)
    await clock.pass(0)
    expect(shown()).toEqual(['2 active'])
  })

  it('lets the times go on between two readings', async () => {
    await clock.pass(3_000)
    expect(sessions()).toMatchObject({ readAt: START, shownAt: START + 3_000 })
    await clock.pass(READ_SESSIONS_MS - 3_000)
    expect(sessions()).toMatchObject({ readAt: START + READ_SESSIONS_MS, shownAt: START + READ_SESSIONS_MS })
  })
})

it('asks when an end is due, and sees it', async () => {
  host.sessions = [sessionOf(1, { idle_expires_in: 4 })]
  await open()
  host.sessions = [endedOf(1, 'expired')]
  await clock.pass(4_999)
  expect(shown()).toEqual(['1 active'])
  await clock.pass(1)
  expect(shown()).toEqual([])
})

it('asks no more than once a second for one that is held past its end', async () => {
  host.sessions = [sessionOf(1, { idle_expires_in: 0 })]
  await open()
  host.sessionReads.length = 0
  await clock.pass(10_000)
  expect(host.sessionReads).toHaveLength(10)
})

describe('a host that goes away', () => {
  beforeEach(async () => {
    host.sessions = [sessionOf(1)]
    await open()
  })

  it('leaves what was known, and says so', async () => {
    host.emit('host_lost')
    expect([shown(), sessions().problem]).toEqual([['1 active'], 'the host is gone'])
    host.sessions = []
    host.emit('host_back')
    await clock.pass(0)
    expect([shown(), sessions().problem]).toEqual([[], null])
  })

  it('is asked again, at once where the user wants it', async () => {
    host.trouble = new BridgeError({ code: 'host_unreachable', message: 'no answer' })
    await clock.pass(READ_SESSIONS_MS)
    expect(sessions().problem).toBe('no answer')
    host.trouble = null
    desk.readLists()
    await clock.pass(0)
    expect(sessions().problem).toBeNull()
  })

  it('knows nobody any more: the remembered name signs in again', async () => {
    storage.set('svc.user', 'eva')
    host.user = null
    host.sessions = [sessionOf(7)]
    await clock.pass(READ_SESSIONS_MS)
    expect(host.asked).toEqual(['sign in eva'])
    await clock.pass(READ_SESSIONS_MS)
    expect([sessions().problem, shown()]).toEqual([null, ['7 active']])
  })
})

it('shows nothing of the user before', async () => {
  host.sessions = [sessionOf(1)]
  await open()
  desk.changeName()
  await clock.pass(0)
  expect(shown()).toEqual([])
  host.sessions = [sessionOf(7)]
  await desk.signIn('eva', false)
  await clock.pass(0)
  expect(shown()).toEqual(['7 active'])
})

it('tells a screen reader what a session does, and not how its times pass', async () => {
  host.sessions = [sessionOf(1, { label: 'planning' })]
  await open()
  host.sessions = [sessionOf(1, { label: 'planning', active_runs: 1 })]
  frame('queued')
  await clock.pass(READ_GAP_MS + SAY_GAP_MS)
  expect(desk.store.get().said).toBe('planning of One is at work')
  desk.say('')
  await clock.pass(5 * READ_SESSIONS_MS)
  expect(desk.store.get().said).toBe('')
})

describe('ending', () => {
  beforeEach(async () => {
    host.sessions = [sessionOf(1, { label: 'planning' })]
    await open()
  })

  it('asks the host once, though pressed twice, and reads again', async () => {
    await Promise.all([desk.endSession(sessionId(1)), desk.endSession(sessionId(1))])
    await clock.pass(SAY_GAP_MS)
    expect(host.asked).toEqual([`end ${sessionId(1)}`])
    expect([shown(), sessions().ending]).toEqual([[], []])
    expect(desk.store.get().said).toBe('planning of One has ended')
  })

  it('says in a notice what the host refuses', async () => {
    host.trouble = new BridgeError({ code: 'host_unreachable', message: 'no answer' })
    await desk.endSession(sessionId(1))
    expect(desk.store.get().notices).toMatchObject([
      { code: 'host_unreachable', source: 'One · planning', loud: true },
    ])
    expect(sessions().ending).toEqual([])
  })

  it('is nothing for a session that is not there', async () => {
    await desk.endSession('aps_none')
    expect(host.asked).toEqual([])
  })
})
