import { createHash } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { describe, expect } from 'vitest'
import type { LinkPlugin } from '../link/index.ts'
import { silentLog } from '../port/log.ts'
import { type AllowPlugin, type OfferedPlugin, openGate } from './allow.ts'

const sky: LinkPlugin = {
  id: 'tool-eve-sky',
  version: '1.2.0',
  author: 'eve',
  distribution: { type: 'npm', version: '1.2.0', package_name: 'sky' },
  reach: { hosts: ['api.example.com'] },
}
const { author: _author, ...nobodys } = sky
const { reach: _reach, ...withoutReach } = sky

/** The gate of ada's machine; what it asks about, and what it warns of, is kept. */
function open(decide: AllowPlugin) {
  const clock = frozenClock()
  const asked: OfferedPlugin[] = []
  const warned: object[] = []
  const ending = new AbortController()
  const gate = openGate({
    allow(plugin) {
      asked.push(plugin)
      return decide(plugin)
    },
    userId: 'ada',
    clock,
    limits: { RUNNER_ALLOW_MS: 30_000 },
    log: { ...silentLog, warn: (fields) => void warned.push(fields) },
  })
  const pass = (plugin = sky, waitMs = 60_000) => gate(plugin, { waitMs, signal: ending.signal })
  return { clock, asked, warned, ending, pass }
}

describe('the gate of a machine', () => {
  /** Written by hand: what the host computes too (agreement.test.ts), so that both show one text to agree to. */
  const terms =
    '{"distribution":{"package_name":"sky","type":"npm","version":"1.2.0"},"owner":"eve","reach":"host api.example.com","tool_id":"tool-eve-sky","version":"1.2.0"}'
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)

  verifies('runner.allow', 'asks about just the terms that the user of the host is shown', async () => {
    const { asked, pass } = open(() => true)
    expect(await pass()).toBeNull()
    expect(asked).toEqual([
      { ...sky, reach: { hosts: ['api.example.com'], folders: [] }, isOwn: false, digest: digestOf(terms) },
    ])
  })

  verifies.each('runner.allow')<[string, LinkPlugin, string]>([
    ['no author', nobodys, terms.replace('"eve"', 'null')],
    ['no reach', withoutReach, terms.replace('host api.example.com', '')],
    [
      'lists and nothing in its distribution',
      { ...sky, distribution: { z: null, a: ['y', 'b', { d: 1, c: 2 }] } },
      terms.replace(/"distribution":\{.*?\}/, '"distribution":{"a":["y","b",{"c":2,"d":1}],"z":null}'),
    ],
  ])('has another digest with %s', async (_name, plugin, text) => {
    const { asked, pass } = open(() => true)
    await pass(plugin)
    expect(asked[0]?.digest).toBe(digestOf(text))
  })

  verifies.each('runner.allow')<[string | undefined, boolean, RegExp]>([
    ['eve', false, /^tool-eve-sky is not allowed on this machine: it is by eve \(not verified\)$/],
    ['ada', true, /: it is by ada \(not verified\)$/],
    [undefined, false, /: it is by an author whom its host does not name$/],
  ])('says whose a refused plugin is: %s', async (author, isOwn, sentence) => {
    const { asked, pass } = open(() => false)
    expect(await pass(author === undefined ? nobodys : { ...sky, author })).toMatchObject({
      message: expect.stringMatching(sentence),
    })
    expect(asked[0]).toMatchObject({ author: author ?? null, isOwn })
  })

  verifies('runner.allow', 'refuses where what decides fails, and tells the log', async () => {
    const err = new Error('it broke')
    const { warned, pass } = open(() => Promise.reject(err))
    expect(await pass()).toMatchObject({ code: 'plug_unavailable' })
    expect(warned).toEqual([{ err, plugin: 'tool-eve-sky' }])
  })

  verifies.each('runner.allow')<[string, (at: ReturnType<typeof open>) => unknown, number]>([
    ['its own time is over', ({ clock }) => clock.advance(30_000), 60_000],
    ['the time of the call is over', ({ clock }) => clock.advance(5_000), 5_000],
    ['the call is cancelled', ({ ending }) => ending.abort(), 60_000],
  ])('refuses what is not decided when %s', async (_name, end, waitMs) => {
    const at = open(() => new Promise(() => {}))
    const passing = at.pass(sky, waitMs)
    await end(at)
    expect(await passing).toMatchObject({
      message: expect.stringMatching(
        /it is by eve \(not verified\), and nobody has answered the question there yet$/,
      ),
    })
  })

  verifies('runner.allow', 'leaves no timer and no listener behind', async () => {
    const { clock, ending, pass } = open(() => true)
    await pass()
    expect([clock.timers, getEventListeners(ending.signal, 'abort')]).toEqual([0, []])
  })
})
