import { BridgeError } from '@svc/bridge'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Desk } from '../desk/desk.ts'
import { SAY_GAP_MS } from '../state/gather-news.ts'
import { READ_GAP_MS } from '../state/queries.ts'
import type { SessionsState } from '../state/sessions.ts'
import type { FakeHost } from '../testing/fake-host.ts'
import { START } from '../testing/job.ts'
import { button, find, happen, type OpenPage, openPage, press, submitForm, textOf } from '../testing/page.ts'
import { endedOf, sessionId, sessionOf } from '../testing/session.ts'
import { READ_SESSIONS_MS, SESSIONS, SESSIONS_PANEL } from './use-sessions.ts'

let host: FakeHost
let desk: Desk
let page: OpenPage

beforeEach(async () => {
  page = await openPage()
  ;({ host, desk } = page)
})
afterEach(() => page.close())

const pass = (ms: number) => page.pass(ms)
const sessions = () => desk.queries.getQueryState<SessionsState>(SESSIONS)
const problem = () => sessions()?.error?.message ?? null
const shown = () =>
  sessions()?.data?.list.map(
    ({ app_session_uuid, state }) => `${Number(app_session_uuid.slice(-3))} ${state}`,
  ) ?? []
const frame = (event: string) =>
  happen(() => host.emit('rpc.stream', { stream_id: 'strm_1', seq: 1, payload: { event } }))
const show = async (panel: string | null) => {
  await happen(() => desk.setPanel(panel))
  await pass(0)
}
const open = () => show(SESSIONS_PANEL)
const shut = () => show(null)

describe('a shut panel', () => {
  it('asks nothing, whatever happens', async () => {
    host.sessions = [sessionOf(1, { active_runs: 1 })]
    await happen(() => desk.open('app-1'))
    for (const event of ['queued', 'end']) await frame(event)
    for (const event of ['host_back', 'reset'] as const) await happen(() => host.emit(event))
    await happen(() => desk.queries.invalidateQueries())
    await pass(86_400_000)
    expect(host.sessionReads).toEqual([])
  })

  it('ends the asking, and forgets the list', async () => {
    host.sessions = [sessionOf(1, { idle_expires_in: 3 })]
    await open()
    expect(shown()).toEqual(['1 active'])
    await shut()
    await pass(86_400_000)
    expect([host.sessionReads, sessions()]).toEqual([['active'], undefined])
  })

  it('drops what was on its way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    host.sessions = [sessionOf(1)]
    host.holdSessions = promise
    await open()
    await shut()
    resolve()
    await pass(0)
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
    await pass(READ_SESSIONS_MS - 1)
    expect(host.sessionReads).toEqual([])
    await pass(1)
    expect(host.sessionReads).toEqual(['active'])
  })

  it.each(['queued', 'started', 'end'])('asks once for a swarm of frames %s', async (event) => {
    await pass(READ_GAP_MS)
    for (let n = 0; n < 100; n++) await frame(event)
    await pass(READ_GAP_MS)
    expect(host.sessionReads).toEqual(['active'])
  })

  it.each(['sse', 'keepalive', 'run_meta', 'error'])('asks nothing for a frame %s', async (event) => {
    await frame(event)
    await pass(READ_GAP_MS)
    expect(host.sessionReads).toEqual([])
  })

  it.each(['host_back', 'reset'] as const)('asks at %s', async (event) => {
    await happen(() => host.emit(event))
    await pass(0)
    expect(host.sessionReads).toEqual(['active'])
  })

  it('asks when somebody comes back to the page', async () => {
    await happen(() => desk.queries.invalidateQueries())
    await pass(0)
    expect(host.sessionReads).toEqual(['active'])
  })

  it('asks for all of them where the ended ones are to be seen', async () => {
    host.sessions = [sessionOf(2), endedOf(1, 'expired')]
    await happen(() => desk.store.set((state) => ({ ...state, withEnded: true })))
    await pass(0)
    expect([host.sessionReads, shown()]).toEqual([
      ['active', 'all'],
      ['2 active', '1 expired'],
    ])
    await happen(() => desk.store.set((state) => ({ ...state, withEnded: false })))
    await pass(0)
    expect(shown()).toEqual(['2 active'])
  })

  it('lets the times go on between two readings', async () => {
    await pass(3_000)
    expect(textOf('aside dl')).toContain('29 min 57 s'.slice(0, 6))
    expect(sessions()?.dataUpdatedAt).toBe(START)
    await pass(READ_SESSIONS_MS - 3_000)
    expect(sessions()?.dataUpdatedAt).toBe(START + READ_SESSIONS_MS)
  })
})

it('asks when an end is due, and sees it', async () => {
  host.sessions = [sessionOf(1, { idle_expires_in: 4 })]
  await open()
  host.sessions = [endedOf(1, 'expired')]
  await pass(4_999)
  expect(shown()).toEqual(['1 active'])
  await pass(1)
  expect(shown()).toEqual([])
})

it('asks no more than once a second for one that is held past its end', async () => {
  host.sessions = [sessionOf(1, { idle_expires_in: 0 })]
  await open()
  host.sessionReads.length = 0
  await pass(10_000)
  expect(host.sessionReads).toHaveLength(10)
})

describe('a host that goes away', () => {
  beforeEach(async () => {
    host.sessions = [sessionOf(1)]
    await open()
  })

  it('leaves what was known, and says so', async () => {
    await happen(() => host.emit('host_lost'))
    expect([shown(), problem()]).toEqual([['1 active'], 'the host is gone'])
    host.sessions = []
    await happen(() => host.emit('host_back'))
    await pass(0)
    expect([shown(), problem()]).toEqual([[], null])
  })

  it('is asked again, at once where the user wants it', async () => {
    host.trouble = new BridgeError({ code: 'host_unreachable', message: 'no answer' })
    await pass(READ_SESSIONS_MS)
    expect(problem()).toBe('no answer')
    host.trouble = null
    await happen(() => desk.queries.invalidateQueries())
    await pass(0)
    expect(problem()).toBeNull()
  })

  it('knows nobody any more: the remembered name signs in again', async () => {
    localStorage.setItem('svc.user', 'eva')
    host.user = null
    host.sessions = [sessionOf(7)]
    await pass(READ_SESSIONS_MS)
    expect(host.asked).toEqual(['sign in eva'])
    await pass(READ_SESSIONS_MS)
    expect([problem(), shown()]).toEqual([null, ['7 active']])
  })
})

it('shows nothing of the user before', async () => {
  host.sessions = [sessionOf(1)]
  await open()
  await happen(() => desk.changeName())
  await pass(0)
  expect(shown()).toEqual([])
  host.sessions = [sessionOf(7)]
  await happen(() => desk.signIn('eva', false))
  await pass(0)
  expect(shown()).toEqual(['7 active'])
})

it('tells a screen reader what a session does, and not how its times pass', async () => {
  host.sessions = [sessionOf(1, { label: 'planning' })]
  await open()
  host.sessions = [sessionOf(1, { label: 'planning', active_runs: 1 })]
  await frame('queued')
  await pass(READ_GAP_MS + SAY_GAP_MS)
  expect(desk.store.get().said).toBe('planning of One is at work')
  await happen(() => desk.say(''))
  await pass(5 * READ_SESSIONS_MS)
  expect(desk.store.get().said).toBe('')
})

describe('ending', () => {
  beforeEach(async () => {
    host.sessions = [sessionOf(1, { label: 'planning' })]
    await open()
    await press('End planning of One')
  })

  it('asks the host once, though pressed twice, and reads again', async () => {
    const form = find<HTMLFormElement>('aside form')
    await happen(() => {
      form?.requestSubmit()
      form?.requestSubmit()
    })
    await pass(SAY_GAP_MS)
    expect(host.asked).toEqual([`end ${sessionId(1)}`])
    expect(shown()).toEqual([])
    expect(desk.store.get().said).toBe('planning of One has ended')
  })

  it('says in a notice what the host refuses', async () => {
    host.trouble = new BridgeError({ code: 'host_unreachable', message: 'no answer' })
    await submitForm('aside form')
    expect(desk.store.get().notices).toMatchObject([
      { code: 'host_unreachable', source: 'One · planning', loud: true },
    ])
    expect(button('End the session')?.dataset.loading).toBeUndefined()
  })
})
