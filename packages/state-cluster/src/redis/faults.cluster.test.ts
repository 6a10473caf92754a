import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { adminOfTest, busesOfTest, followOf, redisOfTest } from '../testing/redis-hold.ts'
import { openRedisBus } from './bus.ts'

const items = (count: number) => Array.from({ length: count }, (_, at) => `${at}`)
const unavailable = (cause: RegExp) => ({
  name: 'BusError',
  code: 'unavailable',
  message: expect.stringMatching(cause),
})

verifies('cluster.bus.wake', 'a follower hears of appends and drops of another host', async () => {
  const open = busesOfTest((await redisOfTest()).url)
  const [here, there] = [await open(), await open()]
  const follower = followOf(here, 'j')
  const first = follower.next()
  await there.journal.append('j', 1, ['1', '2'])
  expect(await first).toMatchObject({ items: [{ seq: 1 }, { seq: 2 }], reset: false })
  const dropped = follower.next()
  await there.journal.drop('j')
  expect(await dropped).toMatchObject({ tail: 0, reset: true })
  await there.journal.append('j', 1, ['1'])
  expect(await follower.next()).toMatchObject({ items: [{ seq: 1 }], reset: false })
  const again = follower.next()
  await there.journal.drop('j')
  await there.journal.append('j', 1, ['1', '2', '3'])
  expect((await again).reset).toBe(true)
  await follower.end()
})

it('hosts with the same name in another database of the server are not heard', async () => {
  const { url } = await redisOfTest()
  const buses = await Promise.all(
    [`${url}/0`, url, `${url}/1`].map((each) => openRedisBus({ url: each, prefix: 'same' })),
  )
  const heard: string[][] = [[], [], []]
  for (const [at, bus] of buses.entries()) await bus.subscribe('t', (message) => heard[at]?.push(message))
  for (const [at, bus] of buses.entries()) await bus.publish('t', `${at}`)
  await expect.poll(() => heard).toEqual([['0', '1'], ['0', '1'], ['2']])
  for (const bus of buses) await bus.close()
})

verifies.each('cluster.bus.epoch')([
  ['empty', false, 0],
  ['with what it had', true, 3],
])('a Redis that starts again %s has another epoch, and resets its followers', async (_, isDurable, tail) => {
  const server = await redisOfTest({ isDurable })
  const bus = await busesOfTest(server.url)()
  await bus.journal.append('j', 1, items(3))
  const follower = followOf(bus, 'j', 3)
  const waits = follower.next()
  const { epoch } = bus
  await server.kill()
  await server.start()
  expect(await waits).toMatchObject({ items: { length: tail }, tail, reset: true })
  expect(bus.epoch).not.toBe(epoch)
  expect(await bus.journal.append('j', 9, ['"x"'])).toEqual({ ok: false, refused: tail })
  await bus.journal.append('j', tail + 1, ['"x"'])
  expect(await follower.next()).toMatchObject({ items: [{ seq: tail + 1 }], reset: false })
  await follower.end()
})

verifies(
  ['cluster.bus.epoch', 'cluster.bus.unavailable'],
  'a master that becomes a replica is left, and another epoch once it is one again',
  async () => {
    const server = await redisOfTest()
    const bus = await busesOfTest(server.url, { waitMs: 500 })()
    const admin = await adminOfTest(server.url)
    const { epoch } = bus
    await bus.journal.append('j', 1, items(1))
    await admin.replicaof('127.0.0.1', 1)
    await expect(bus.journal.append('j', 2, items(1))).rejects.toMatchObject(unavailable(/is a replica/))
    await expect(bus.journal.append('j', 2, items(1))).rejects.toMatchObject(unavailable(/replica/))
    await admin.replicaof('NO', 'ONE')
    await expect
      .poll(() => bus.journal.append('j', 2, items(1)).catch(() => null))
      .toEqual({ ok: true, tail: 2 })
    expect(bus.epoch).not.toBe(epoch)
  },
)

verifies(
  'cluster.bus.epoch',
  'of two buses on one server, both have its epoch, and a cut changes none',
  async () => {
    const server = await redisOfTest()
    const open = busesOfTest(server.url)
    const [here, there] = [await open(), await open()]
    const { epoch } = here
    await (await adminOfTest(server.url)).call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await here.journal.append('j', 1, items(1))
    expect([here.epoch, there.epoch]).toEqual([epoch, epoch])
  },
)

verifies(
  'cluster.bus.unavailable',
  'a bus opens only where Redis is, and names neither user nor password',
  async () => {
    const server = await redisOfTest({ args: ['--requirepass', 'right'] })
    const at = (user: string) => server.url.replace('//', `//${user}@`)
    const open = (url: string) => openRedisBus({ url, waitMs: 300 })
    await expect(open(at(':secret'))).rejects.toMatchObject(
      unavailable(/^Redis at 127.0.0.1:\d+ does not allow this user/),
    )
    await (await open(at(':right'))).close()
    await server.kill()
    await expect(open(at(':right'))).rejects.toMatchObject(
      unavailable(/^Redis at 127.0.0.1:\d+ cannot be reached: ECONNREFUSED$/),
    )
  },
)

verifies(
  'cluster.bus.unavailable',
  'a Redis that is paused fails its calls within their bound, and goes on',
  async () => {
    const server = await redisOfTest()
    const bus = await busesOfTest(server.url, { waitMs: 500 })()
    await bus.journal.append('j', 1, items(1))
    const follower = followOf(bus, 'j')
    await follower.next()
    const waits = follower.next()
    await server.pause()
    await expect(bus.journal.append('j', 2, ['"in the pause"'])).rejects.toMatchObject(
      unavailable(/does not answer/),
    )
    await expect(bus.publish('t', '1')).rejects.toMatchObject(unavailable(/does not answer/))
    server.resume()
    // What was sent in the pause may be done after it.
    const { tail } = await bus.journal.read('j', 0)
    expect(await bus.journal.append('j', tail + 1, ['"after"'])).toEqual({ ok: true, tail: tail + 1 })
    expect(await waits).toMatchObject({ items: [{ seq: 2 }], reset: false })
    const { items: all } = await bus.journal.read('j', 1)
    expect(all.map(({ item }) => item)).toEqual(tail === 1 ? ['"after"'] : ['"in the pause"', '"after"'])
    await follower.end()
  },
)

verifies('cluster.bus.full', 'a Redis whose memory is full', async () => {
  const server = await redisOfTest({ args: ['--maxmemory', '4mb', '--maxmemory-policy', 'noeviction'] })
  const open = busesOfTest(server.url)
  const bus = await open()
  const big = [`"${'x'.repeat(100_000)}"`]
  let tail = 0
  const fill = async () => {
    for (;;)
      tail = await bus.journal.append('j', tail + 1, big).then((done) => (done.ok ? done.tail : done.refused))
  }
  await expect(fill()).rejects.toMatchObject(unavailable(/is out of memory/))
  expect(tail).toBeGreaterThan(3)
  expect(await bus.journal.read('j', tail - 1)).toMatchObject({ items: [{ seq: tail }], first: 1, tail })
  expect((await (await open()).journal.read('j', tail)).tail).toBe(tail)
  await bus.journal.trim('j', { keep: 1 })
  expect(await bus.journal.read('j', tail)).toMatchObject({ first: tail, tail })
  await bus.journal.append('j', tail + 1, big)
  await expect(fill().finally(() => bus.journal.drop('j'))).rejects.toThrow()
  expect(await bus.journal.append('j', 1, big)).toEqual({ ok: true, tail: 1 })
})

verifies(
  'cluster.bus.unavailable',
  'a Redis that is away for ten seconds fails each call within five',
  async () => {
    const server = await redisOfTest()
    const bus = await busesOfTest(server.url)()
    await bus.journal.append('j', 1, items(1))
    const follower = followOf(bus, 'j')
    await follower.next()
    const waits = follower.next()
    await server.pause()
    const from = performance.now()
    await expect(bus.journal.append('j', 2, items(1))).rejects.toMatchObject(unavailable(/does not answer/))
    expect(performance.now() - from).toBeLessThan(30_000)
    await expect(bus.journal.read('j', 0)).rejects.toMatchObject(unavailable(/does not answer/))
    server.resume()
    const { tail } = await bus.journal.read('j', 0)
    await bus.journal.append('j', tail + 1, items(1))
    expect(await waits).toMatchObject({ items: [{ seq: 2 }], reset: false })
    await follower.end()
  },
)

it('a key that something else wrote is damage of that journal alone', async () => {
  const server = await redisOfTest()
  const bus = await busesOfTest(server.url, { prefix: 'svc' })()
  await (await adminOfTest(server.url)).hset('{svc:broken}:i', 'a', 'b')
  const appends = ['a', 'broken', 'b'].map((name) => bus.journal.append(name, 1, ['1']))
  const [a, broken, b] = await Promise.allSettled(appends)
  expect([a, b]).toMatchObject(Array(2).fill({ value: { ok: true, tail: 1 } }))
  expect(broken).toMatchObject({ reason: { name: 'BusError', code: 'damaged' } })
})
