import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { createForward, type Post } from './forward.ts'
import { createLanes, type Lanes } from './lanes.ts'
import type { Call } from './texts.ts'

interface Sent {
  readonly ids: string[]
  readonly signal: AbortSignal
  answer(id: string): void
  end(): void
}

/** A window's forward whose POSTs a test ends by hand. */
function window(lanes: Lanes = createLanes(() => false), clock = frozenClock()) {
  const posts: Sent[] = []
  const answers = new Map<string, string>()
  const calls = new Map<string, Call>()
  const post: Post = (list, answer, signal) =>
    new Promise((end) => {
      posts.push({
        ids: list.map(({ id }) => id),
        signal,
        answer: (id) => {
          const call = list.find((one) => one.id === id)
          if (call) answer(call, `answer ${id}`)
        },
        end,
      })
      signal.addEventListener('abort', () => end())
    })
  const forward = createForward(lanes, post, clock)
  const make = (id: string, ns = 'storage', method = 'get', args = '{}'): Call => {
    const call: Call = { id, ns, method, args, answer: (text) => answers.set(id, text) }
    calls.set(id, call)
    return call
  }
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => String(from + at))
  return { forward, posts, answers, calls, make, ids, clock }
}
const long = `{"v":"${'x'.repeat(16_384)}"}`
const tick = () => new Promise<void>((done) => setImmediate(done))

it('sends a lone call at once', () => {
  const { forward, posts, make } = window()
  forward.take([make('1')])
  expect(posts.map(({ ids }) => ids)).toEqual([['1']])
})

verifies(
  'design.lanes.quick',
  'a run with attachments on its way holds up no quick call of its window',
  async () => {
    const { forward, posts, make } = window()
    forward.take([make('r1', 'agent', 'session.run', long), make('r2', 'agent', 'session.run', '{}')])
    forward.take([make('2')])
    expect(posts.map(({ ids }) => ids)).toEqual([['r2'], ['r1']])
    posts[0]?.end()
    await tick()
    forward.take([make('3', 'storage', 'set', long), make('4')])
    expect(posts.map(({ ids }) => ids)).toEqual([['r2'], ['r1'], ['2']])
  },
)

verifies(
  ['design.lanes.slow', 'design.lanes.from_table'],
  'lets one quick POST of a window and three slow ones be under way, and sends what waited together',
  async () => {
    const { forward, posts, make } = window()
    for (const id of ['1', '2', '3']) forward.take([make(id)])
    for (const id of ['s1', 's2', 's3', 's4', 's5']) forward.take([make(id, 'tools', 'invoke')])
    expect(posts.map(({ ids }) => ids)).toEqual([['1'], ['s1'], ['s2'], ['s3']])
    posts[0]?.end()
    posts[1]?.end()
    await tick()
    expect(posts.slice(4).map(({ ids }) => ids)).toEqual([
      ['2', '3'],
      ['s4', 's5'],
    ])
  },
)

verifies(
  ['wall.in_flight.bridge', 'wall.in_flight.waiting'],
  'keeps 64 at the host and 256 behind them, however many come at once; a list joins whole before any of it leaves',
  async () => {
    const { forward, posts, answers, make, ids } = window()
    forward.take(ids(0, 330).map((id) => make(id)))
    expect(posts.map((post) => post.ids)).toEqual([ids(0, 64)])
    expect([...answers.keys()]).toEqual(ids(320, 330))
    expect(JSON.parse(answers.get('320') ?? '').error).toMatchObject({
      code: 'rate_limited',
      message: 'a window may have 64 calls at the host and 256 that wait',
      details: { retriable: true },
    })
    for (const id of ['0', '1', '2']) posts[0]?.answer(id)
    forward.take(ids(330, 334).map((id) => make(id)))
    expect([...answers.keys()]).toEqual([...ids(320, 330), '0', '1', '2', '333'])
    for (let at = 0; at < posts.length; at++) {
      posts[at]?.end()
      await tick()
    }
    expect(posts.flatMap((post) => post.ids)).toEqual([...ids(0, 320), ...ids(330, 333)])
  },
)

it('lets no slow POST that hangs hold up the next', () => {
  const { forward, posts, make } = window()
  forward.take([make('hangs', 'tools', 'invoke')])
  forward.take([make('next', 'tools', 'invoke')])
  expect(posts.map((post) => post.ids)).toEqual([['hangs'], ['next']])
})

it('fills the places that fall free in one tick with one POST', async () => {
  const { forward, posts, make, ids } = window()
  forward.take(ids(0, 100).map((id) => make(id, 'tools', 'invoke')))
  for (const id of ['0', '1', '2']) posts[0]?.answer(id)
  await tick()
  expect(posts.map((post) => post.ids)).toEqual([ids(0, 64), ['64', '65', '66']])
})

verifies.each('wall.in_flight.order')([
  ['over POSTs', false],
  ['on the socket', true],
])('keeps the order of quick calls %s: what comes meanwhile leaves together', async (_way, socket) => {
  const { forward, posts, make } = window(createLanes(() => socket))
  const sent = () => posts.map(({ ids }) => ids.join())
  forward.take([make('1')])
  forward.take([make('2')])
  forward.take([make('slow', 'tools', 'invoke')])
  forward.take([make('3')])
  forward.take([make('4', 'storage', 'set', long)])
  forward.take([make('5')])
  expect(sent()).toEqual(['1', 'slow'])
  for (const next of ['2,3', '4', '5']) {
    posts.findLast(({ ids }) => ids[0] !== 'slow')?.end()
    await tick()
    expect(sent().at(-1)).toBe(next)
  }
})

it('needs no free connection while the socket stands', () => {
  const { forward, posts, make } = window(createLanes(() => true))
  for (const id of ['1', '2', '3', '4', '5']) forward.take([make(id, 'tools', 'invoke')])
  expect(posts.map(({ ids }) => ids.join())).toEqual(['1', '2', '3', '4', '5'])
})

verifies(
  'wall.iframe.port_names_window',
  'lets a text that is too long to be checked travel alone, wherever it stands in the line',
  async () => {
    const { forward, posts, make, clock } = window()
    const args = (chars: number) => `{"v":"${'x'.repeat(chars - 8)}"}`
    forward.take([
      make('1', 'a', 'b', args(16_384)),
      make('2', 'a', 'b'),
      make('3', 'a', 'b', args(16_385)),
      make('4', 'a', 'b', args(16_385)),
      make('5', 'a', 'b'),
    ])
    for (let at = 0; at < 4; at++) {
      posts[at]?.end()
      await tick()
    }
    expect(posts.map(({ ids }) => ids)).toEqual([['1', '2'], ['3'], ['4'], ['5']])
    expect(clock.timers).toBe(0)
  },
)

it('waits for the other calls of a POST when the late answer to one that was given up comes', () => {
  const { forward, posts, make, answers } = window()
  const [a, b] = [make('1'), make('2')]
  forward.take([a, b])
  forward.drop(a)
  posts[0]?.answer('1')
  expect(posts[0]?.signal.aborted).toBe(false)
  posts[0]?.answer('2')
  expect(answers.get('2')).toBe('answer 2')
})

it('counts a call that was given up as in flight until its answer comes', async () => {
  const { forward, posts, make, ids } = window()
  const all = ids(0, 64).map((id) => make(id, 'tools', 'invoke'))
  forward.take(all)
  for (const call of all.slice(0, 10)) forward.drop(call)
  forward.take([make('next', 'tools', 'invoke')])
  expect(posts).toHaveLength(1)
  posts[0]?.answer('0')
  posts[0]?.answer('20')
  await tick()
  expect(posts[1]?.ids).toEqual(['next'])
})

it('answers bridge_reset to what a POST that was given up leaves open', async () => {
  const { forward, make, answers } = window()
  forward.take([make('1')])
  forward.close()
  await tick()
  expect(answers.get('1')).toContain('bridge_reset')
})

it('lets the POSTs of two documents that went away run out, and gives up older ones', async () => {
  const { forward, posts, make, clock } = window()
  for (const id of ['1', '2', '3']) {
    const call = make(id)
    forward.take([call])
    forward.forget([call])
    await tick()
  }
  expect(posts.map(({ signal }) => signal.aborted)).toEqual([true, false, false])
  clock.advance(1_000)
  expect(clock.timers).toBe(0)
})

it('lets windows take turns', async () => {
  const lanes = createLanes(() => false)
  const a = window(lanes)
  const b = window(lanes)
  for (const id of ['1', '2', '3']) a.forward.take([a.make(id)])
  b.forward.take([b.make('x')])
  a.posts[0]?.end()
  await tick()
  expect([a.posts.length, b.posts.length]).toEqual([2, 1])
})

it('takes a call that nobody waits for out of the line, and gives up a POST when nobody waits for any of it', () => {
  const { forward, posts, make } = window()
  const [a, b, c] = ['1', '2', '3'].map((id) => make(id))
  if (!a || !b || !c) throw new Error('three calls')
  forward.take([a, b])
  forward.take([c])
  forward.drop(c)
  forward.drop(a)
  expect(posts[0]?.signal.aborted).toBe(false)
  forward.drop(b)
  expect(posts[0]?.signal.aborted).toBe(true)
  expect(posts.map(({ ids }) => ids)).toEqual([['1', '2']])
})

it('counts an answered call of a POST as settled', () => {
  const { forward, posts, make } = window()
  const [a, b] = [make('1'), make('2')]
  forward.take([a, b])
  posts[0]?.answer('1')
  forward.drop(b)
  expect(posts[0]?.signal.aborted).toBe(true)
})

it('lets quick calls of a document that went away run out for a second, off the lane, and gives up slow ones', async () => {
  const { forward, posts, make, clock } = window()
  const [quick, slow, waiting] = [make('1'), make('2', 'tools', 'invoke'), make('3')]
  forward.take([quick])
  forward.take([slow])
  forward.take([waiting])
  forward.forget([quick, slow, waiting])
  expect(posts.map(({ signal }) => signal.aborted)).toEqual([false, true])
  forward.take([make('next')])
  await tick()
  expect(posts.at(-1)?.ids).toEqual(['next'])
  clock.advance(1_000)
  expect(posts[0]?.signal.aborted).toBe(true)
  expect(clock.timers).toBe(0)
})

it('gives everything up when it closes', () => {
  const { forward, posts, make, ids } = window()
  forward.take(ids(0, 70).map((id) => make(id)))
  forward.close()
  expect(posts.map(({ signal }) => signal.aborted)).toEqual([true])
})
