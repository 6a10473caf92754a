import { verifies } from '@svc/conformance/verifies'
import type { PluginSpec, Runner } from '@svc/runner'
import { describe, expect, it } from 'vitest'
import type { CallScope } from '../access/users/under-way.ts'
import { openToolSessions, type ToolSession } from './tool-sessions.ts'

const mcp: PluginSpec = { id: 'p', version: '1', command: ['p'], protocol: 'mcp' }
const own: PluginSpec = { id: 'p', version: '1', command: ['p'] }
const published: PluginSpec = {
  id: 'p',
  version: '1',
  distribution: { type: 'npm', package_name: 'p', protocol: 'mcp' },
}
const window: ToolSession = { kind: 'window', id: 'w' }
const agent: ToolSession = { kind: 'agent', id: 's' }

function openBed() {
  const ended: unknown[] = []
  const cuts: ((whose: CallScope) => void)[] = []
  const runner = { endSessions: (which: object) => void ended.push(which) } as unknown as Runner
  const sessions = openToolSessions({ underWay: { onCut: (listener) => void cuts.push(listener) } })
  const keep = (session: ToolSession, more: object = {}) =>
    sessions.keyFor(runner, mcp, { userId: 'ada', appId: 'a', session, ...more })
  return { ended, runner, sessions, keep, cut: (whose: CallScope) => cuts.forEach((one) => void one(whose)) }
}

verifies.each('plugin.session')<[string, PluginSpec, ToolSession | null, string | undefined]>([
  ['MCP, in a window', mcp, window, 'window w'],
  ['MCP, in a session of an agent', mcp, agent, 'agent s'],
  ['MCP that is published', published, window, 'window w'],
  ['MCP, in neither', mcp, null, undefined],
  ['our protocol', own, window, undefined],
  ['our protocol, with windows', { ...own, session: 'window' }, window, 'window w'],
  ['MCP, with calls', { ...mcp, session: 'call' }, window, undefined],
  ['agents alone, in a window', { ...mcp, session: 'agent' }, window, undefined],
  ['agents alone, in a session', { ...mcp, session: 'agent' }, agent, 'agent s'],
])('a call of a plugin of %s', (_, plugin, session, key) => {
  const { runner, sessions } = openBed()
  expect(sessions.keyFor(runner, plugin, { userId: 'ada', appId: 'a', session })).toBe(key)
})

describe('the processes of a session', () => {
  const both = [
    { userId: 'ada', session: 'window w' },
    { userId: 'ada', session: 'agent s' },
  ]
  verifies.each('plugin.session.ends')<[string, CallScope, object[]]>([
    ['its window closes', { userId: 'ada', appId: 'a', windowUuid: 'w' }, both.slice(0, 1)],
    ['another window closes', { userId: 'ada', windowUuid: 'x' }, []],
    ['the app goes', { userId: 'ada', appId: 'a' }, both],
    ['another app goes', { userId: 'ada', appId: 'b' }, []],
    ['the access of its user ends', { userId: 'ada' }, both],
    ['that of another ends', { userId: 'bob' }, []],
  ])('end as they should where %s', (_, whose, expected) => {
    const { cut, ended, keep } = openBed()
    keep(window)
    keep(agent)
    cut(whose)
    cut(whose)
    expect(ended).toEqual(expected)
  })

  it('end with an agent session, and once', () => {
    const { ended, keep, sessions } = openBed()
    keep(agent)
    sessions.end(agent)
    sessions.end(agent)
    sessions.end(window)
    expect(ended).toEqual([{ userId: 'ada', session: 'agent s' }])
  })

  it('end where a sweep finds that they are over', async () => {
    const { ended, keep, sessions } = openBed()
    keep(window)
    keep(agent)
    await sessions.sweep(async ({ kind }) => kind === 'agent')
    expect(ended).toEqual([{ userId: 'ada', session: 'agent s' }])
    sessions.close()
    expect(ended).toHaveLength(2)
  })

  it('of a plugin that is taken back end for that user', () => {
    const { ended, keep, sessions } = openBed()
    keep(window)
    sessions.endPlugins(['p', 'q'], 'ada')
    expect(ended).toEqual([
      { pluginId: 'p', userId: 'ada' },
      { pluginId: 'q', userId: 'ada' },
    ])
  })

  it('are those that the call of another host names', () => {
    const { cut, ended, runner, sessions } = openBed()
    sessions.noteRelayed(runner, { userId: 'ada', appId: 'a' }, 'window w')
    sessions.noteRelayed(runner, { userId: 'ada', appId: 'a' }, 'nothing')
    cut({ userId: 'ada', windowUuid: 'w' })
    expect(ended).toEqual([{ userId: 'ada', session: 'window w' }])
  })
})
