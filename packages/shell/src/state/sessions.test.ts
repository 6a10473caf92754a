import { session as table } from '@svc/contract/states'
import { replaceEqualDeep } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { atlas } from '../testing/app.ts'
import { endedOf, sessionOf } from '../testing/session.ts'
import { agentText, type Session, sessionName, sessionStatus, sessionStatuses } from './session.ts'
import { sessionNews, takeSessions } from './sessions.ts'

const take = (active: readonly Session[], all: readonly Session[] | null = null) => takeSessions(active, all)
const ids = ({ list }: { readonly list: readonly Session[] }) =>
  list.map(({ app_session_uuid }) => Number(app_session_uuid.slice(-3)))
const apps = [atlas]

it('has words for each state that a list can tell', () => {
  const told = table.states.filter((state) => state !== 'deleted')
  const shown = told.map((state) => sessionStatus(sessionOf(1, { state })))
  expect([...new Set([...shown, sessionStatus(sessionOf(1, { active_runs: 1 }))])].sort()).toEqual(
    Object.keys(sessionStatuses).sort(),
  )
})

it.each([
  [{ label: 'planning' }, 'planning of Atlas'],
  [{ label: null }, 'Session …000001 of Atlas'],
  [{ label: '' }, 'Session …000001 of Atlas'],
  [{ label: 'planning', app_id: 'app-9' }, 'planning of app-9'],
])('names a session with %j', (rest, name) => {
  expect(sessionName(sessionOf(1, rest), apps)).toBe(name)
})

it.each([
  [{}, 'agent'],
  [{ submode: 'fixed', fixed_client_id: 'tool-me-atlas-1' } as const, 'tool-me-atlas-1'],
  [{ kind: 'complete', submode: null } as const, 'completions'],
])('says who answers in one with %j', (rest, text) => {
  expect(agentText(sessionOf(1, rest))).toBe(text)
})

describe('takeSessions', () => {
  it('puts the active ones first, and the newest of each part', () => {
    const all = [sessionOf(4), endedOf(3, 'expired'), sessionOf(2), endedOf(1, 'revoked')]
    expect(ids(take([sessionOf(2), sessionOf(4)], all))).toEqual([4, 2, 3, 1])
  })

  it('forgets what the host has forgotten', () => {
    expect(ids(take([sessionOf(2)]))).toEqual([2])
  })

  it('believes the end of a session that was told as active and as ended', () => {
    expect(take([sessionOf(1)], [endedOf(1, 'expired')]).list.map(({ state }) => state)).toEqual(['expired'])
  })

  it('keeps active ones that stand behind the end of a list of all', () => {
    expect(ids(take([sessionOf(1)], [endedOf(2, 'revoked')]))).toEqual([1, 2])
  })

  it('gives the same object for what has not changed', () => {
    const before = take([sessionOf(3)], [sessionOf(3), endedOf(2, 'expired'), endedOf(1, 'expired')])
    const next = take([sessionOf(3)], [sessionOf(3), endedOf(2, 'expired'), endedOf(1, 'revoked')])
    const now = replaceEqualDeep(before, next)
    expect(now.list.map((one, at) => one === before.list[at])).toEqual([true, true, false])
  })

  it.each([
    [99, false],
    [100, true],
  ])('with %d sessions may have left some out: %s', (count, full) => {
    const many = Array.from({ length: count }, (_, n) => sessionOf(n))
    expect([take(many).full, take([], many).full]).toEqual([full, full])
  })
})

describe('sessionNews', () => {
  const before = take([sessionOf(1, { label: 'a' }), sessionOf(2, { label: 'b', active_runs: 1 })])
  const [a, b] = [sessionOf(1, { label: 'a' }), sessionOf(2, { label: 'b', active_runs: 1 })]
  it.each<[string, Session[], string[]]>([
    ['a new one', [a, b, sessionOf(3)], ['Session …000003 of Atlas is ready']],
    ['one that begins its work', [{ ...a, active_runs: 1 }, b], ['a of Atlas is at work']],
    ['one that is done', [a, { ...b, active_runs: 0 }], ['b of Atlas is ready']],
    ['another run of one at work', [a, { ...b, active_runs: 2 }], []],
    ['times', [{ ...a, idle_expires_in: 5 }, b], []],
    ['one that is gone', [b], ['a of Atlas has ended']],
  ])('tells of %s', (_, sessions, sentences) => {
    expect([...sessionNews(before, take(sessions), apps).values()]).toEqual(sentences)
  })

  it.each([
    ['expired', 'a of Atlas expired'],
    ['revoked', 'a of Atlas was ended'],
  ] as const)('tells how one ended: %s', (state, sentence) => {
    const after = take([b], [b, endedOf(1, state, { label: 'a' })])
    expect([...sessionNews(before, after, apps).values()]).toEqual([sentence])
  })

  it('says nothing of ended ones that are shown', () => {
    expect(sessionNews(before, take([a, b], [a, b, endedOf(9, 'expired')]), apps).size).toBe(0)
  })

  it('says nothing of one behind the end of a full list', () => {
    const many = Array.from({ length: 100 }, (_, n) => sessionOf(n + 10))
    const told = sessionNews(take([a, ...many.slice(1)]), take(many), apps)
    expect([...told.keys()]).toEqual([many[0]?.app_session_uuid])
  })
})
