import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { HostRpcError } from './errors.ts'
import { refusal, settled } from './testing/call.ts'
import { endOf, readAll, runIdOf, runningBed, text } from './testing/session.ts'

const codeOf = (promise: Promise<unknown>) => promise.then(undefined, ({ code }) => code)
const away = () => refusal('host_unreachable', { retriable: true })

verifies('design.stream.gap', 'asks for a replay of what is missing for 250 ms, and not before', async () => {
  const { bed, run } = await runningBed()
  bed.tell(1, text('a'))
  bed.write(1, text('b'))
  bed.tell(1, text('c'))
  await bed.pass(200)
  bed.tell(1, text('d'))
  expect(bed.attached()).toEqual([])
  await bed.pass(50)
  expect(bed.attached()).toEqual([1])
  bed.tell(1, endOf(1))
  expect((await run.final()).text).toBe('abcd')
  expect([bed.attached(), bed.left()]).toEqual([[1], 1])
})

verifies('design.stream.gap', 'counts each gap from its own beginning', async () => {
  const { bed, run } = await runningBed()
  bed.write(1, text('a'), text('b'), text('c'), text('d'), endOf(1))
  bed.send(1, 2)
  bed.send(1, 4)
  await bed.pass(200)
  bed.send(1, 1)
  await bed.pass(200)
  expect(bed.attached()).toEqual([])
  bed.send(1, 3)
  await bed.pass(10_000)
  expect(bed.attached()).toEqual([])
  bed.send(1, 5)
  expect((await run.final()).text).toBe('abcd')
})

verifies('design.stream.gap', 'fails with stream_gap when a 257th frame would wait', async () => {
  const { bed, run } = await runningBed()
  bed.tell(1, text('a'))
  bed.write(1, text('lost'))
  const reading = readAll(run.text())
  bed.tell(1, ...Array.from({ length: 256 }, () => text('.')))
  await settled()
  expect(bed.left()).toBe(3)
  bed.tell(1, text('!'))
  const error = await run.final().catch((thrown) => thrown)
  expect(error).toMatchObject({
    code: 'stream_gap',
    message: 'frame 2 of the stream is missing, and more than 256 frames wait for it',
    details: { runId: runIdOf(1), text: 'a' },
    hint: expect.stringContaining('attach'),
  })
  expect(await reading).toEqual(['a', error])
  expect(await readAll(run.frames())).toEqual([text('a'), error])
  await bed.pass(70_000)
  expect([bed.attached(), bed.left()]).toEqual([[], 1])
})

it('asks after 2 s where nothing comes of a run that was accepted, as of one that is known already', async () => {
  const { bed, session, run } = await runningBed()
  bed.tell(1, { event: 'queued' }, text('all'), endOf(1))
  await run.final()
  const again = await session.run('hello', { runId: run.runId })
  await bed.pass(1_900)
  expect(bed.attached()).toEqual([])
  await bed.pass(100)
  expect([bed.attached(), (await again.final()).text]).toEqual([[0], 'all'])
})

verifies('design.stream.silent', 'asks after 60 s without a frame, and a keepalive is one', async () => {
  const { bed, run } = await runningBed()
  bed.tell(1, { event: 'queued' })
  for (let minute = 0; minute < 3; minute++) {
    await bed.pass(59_900)
    bed.tell(1, { event: 'keepalive' })
  }
  expect(bed.attached()).toEqual([])
  bed.write(1, text('lost'), endOf(1))
  await bed.pass(60_000)
  expect([bed.attached(), (await run.final()).text]).toEqual([[4], 'lost'])
})

verifies(
  'design.stream.silent',
  'goes on waiting where the host has nothing more either, and asks each minute',
  async () => {
    const { bed, run } = await runningBed()
    bed.tell(1, { event: 'queued' })
    await bed.pass(181_000)
    expect(bed.attached()).toEqual([1, 1, 1])
    bed.tell(1, endOf(1))
    await run.final()
  },
)

verifies('design.stream.reset', 'asks at once for each of its runs after a reset', async () => {
  const { bed, session, run } = await runningBed()
  const other = await session.run('more')
  bed.tell(1, text('a'))
  bed.tell(2, text('x'))
  bed.write(1, text('b'), endOf(1))
  bed.write(2, endOf(2))
  bed.hub.emit('reset')
  expect((await run.final()).text).toBe('ab')
  expect((await other.final()).text).toBe('x')
  expect(bed.attached()).toEqual([1, 1])
})

verifies('design.stream.reset', 'asks again for a reset that came while it asked', async () => {
  const { bed, run } = await runningBed()
  bed.tell(1, text('a'))
  bed.holding = 'session.attach'
  bed.hub.emit('reset')
  await settled()
  bed.hub.emit('reset')
  bed.tell(1, text('b'))
  await bed.release()
  expect(bed.attached()).toEqual([1, 2])
  bed.tell(1, endOf(1))
  expect((await run.final()).text).toBe('ab')
})

verifies.each('design.stream.retry')([
  'host_unreachable',
  'timeout',
  'bridge_reset',
  'internal_error',
  'rate_limited',
])('tries again, ever more slowly, while the host cannot be asked: %s', async (code) => {
  const { bed, run } = await runningBed()
  const answer = bed.answer
  bed.tell(1, text('a'))
  bed.write(1, text('b'), endOf(1))
  const startAt = bed.clock.now()
  const asked: number[] = []
  bed.answer = (method) => {
    if (method === 'session.attach') asked.push(bed.clock.now() - startAt)
    return refusal(code, code.includes('_') ? { retriable: true } : {})
  }
  bed.hub.emit('reset')
  await bed.pass(20_000)
  expect(asked).toEqual([0, 500, 1_500, 3_500, 7_500, 12_500, 17_500])
  bed.answer = answer
  await bed.pass(5_000)
  expect((await run.final()).text).toBe('ab')
  expect(bed.left()).toBe(1)
})

it('gives an attach 10 s for its answer', async () => {
  const { bed, run } = await runningBed()
  bed.tell(1, text('a'))
  bed.write(1, text('b'), endOf(1))
  bed.replays = 'never'
  bed.holding = 'session.attach'
  bed.hub.emit('reset')
  await bed.pass(10_000)
  bed.replays = 'after'
  bed.holding = undefined
  await bed.pass(500)
  expect([bed.attached(), (await run.final()).text]).toEqual([[1, 1], 'ab'])
})

verifies.each('design.stream.retry')(['not_found', 'not_hosted', 'permission_denied', 'APP_SESSION_REVOKED'])(
  'fails with what refuses the replay: %s',
  async (code) => {
    const { bed, run } = await runningBed()
    bed.tell(1, text('a'))
    bed.answer = () => refusal(code)
    bed.hub.emit('reset')
    const details = { runId: runIdOf(1), text: 'a', lost: true }
    await expect(run.final()).rejects.toMatchObject({ code, details })
    expect(bed.left()).toBe(1)
  },
)

it('fails when the host has been away for longer than a run can live', async () => {
  const { bed, run } = await runningBed()
  bed.tell(1, text('a'))
  bed.answer = away
  bed.hub.emit('reset')
  await bed.pass(1_000)
  bed.clock.sleep(3_890_000)
  await bed.pass(5_000)
  const end = codeOf(run.final())
  expect(bed.left()).toBe(3)
  await bed.pass(15_000)
  expect([await end, bed.left()]).toEqual(['host_unreachable', 1])
})

it('fails with stream_gap when eight replays bring nothing', async () => {
  const { bed, run } = await runningBed()
  bed.replays = 'never'
  bed.write(1, text('lost'))
  const end = run.final().catch((error) => error)
  await bed.pass(60_000)
  expect(await end).toMatchObject({ code: 'stream_gap', message: expect.stringContaining('frame 1 ') })
  expect([bed.attached(), bed.left()]).toEqual([Array(8).fill(0), 1])
})

it('goes on as long as each replay brings something', async () => {
  const { bed, run } = await runningBed()
  bed.replays = 'never'
  bed.write(1, ...Array.from({ length: 11 }, () => text('.')), endOf(1))
  await bed.pass(2_000)
  for (let seq = 1; seq <= 12; seq++) {
    await bed.pass(500)
    bed.send(1, seq)
  }
  expect((await run.final()).text).toHaveLength(11)
  expect(bed.count('session.attach')).toBeGreaterThan(8)
})

it('counts how long the host is away from when it was last reached', async () => {
  const { bed, run } = await runningBed()
  const { answer } = bed
  bed.tell(1, text('a'))
  for (let times = 0; times < 3; times++) {
    bed.answer = away
    bed.hub.emit('reset')
    await bed.pass(1_000)
    bed.clock.sleep(3_000_000)
    await bed.pass(5_000)
    bed.answer = answer
    await bed.pass(5_000)
  }
  bed.tell(1, endOf(1))
  expect((await run.final()).text).toBe('a')
})

it('ends with a run that ends before the place that is read from', async () => {
  const { bed, session } = await runningBed()
  bed.tell(1, text('a'))
  const run = await session.attach(runIdOf(1), { afterSeq: 9 })
  bed.tell(1, endOf(1))
  await bed.pass(60_000)
  expect(await run.final()).toMatchObject({ text: '', error: undefined })
})

verifies(
  'design.stream.attach',
  'reads a run again that began in another document, while it goes on',
  async () => {
    const { bed, session } = await runningBed()
    bed.tell(1, { event: 'queued' }, text('a'), text('b'))
    const run = await session.attach(runIdOf(1))
    const rest = await session.attach(runIdOf(1), { afterSeq: 2 })
    bed.tell(1, text('c'))
    await settled()
    bed.tell(1, endOf(1))
    await bed.pass(500)
    expect([(await run.final()).text, (await rest.final()).text]).toEqual(['abc', 'bc'])
    expect([run.lastSeq, rest.lastSeq]).toEqual([5, 5])
  },
)

it.each([
  ['that was read to its end', 3, ''],
  ['behind its end', 9, ''],
  ['but for its end', 2, ''],
  ['from its beginning', 0, 'ab'],
])('ends at once for a run that has ended, %s', async (_, afterSeq, said) => {
  const { bed, session, run } = await runningBed()
  bed.tell(1, text('a'), text('b'), endOf(1))
  await run.final()
  const again = await session.attach(run.runId, { afterSeq })
  expect(await again.final()).toMatchObject({ text: said, aborted: false })
  expect([bed.attached(), bed.left()]).toEqual([[afterSeq], 1])
  // Nobody follows the stream any more: what comes of it is kept for the app's own listeners.
  const heard: number[] = []
  bed.send(1, 99, text('late'))
  bed.hub.on('rpc.stream', ({ seq }) => heard.push(seq))
  await settled()
  expect(heard).toEqual([99])
})

verifies('design.stream.early', 'takes the frames that outran the answer of their run', async () => {
  const { bed, session } = await runningBed()
  bed.holding = 'session.run'
  const asked = session.run('more')
  await settled()
  bed.tell(2, { event: 'queued' }, text('early'))
  await bed.release()
  const run = await asked
  bed.tell(2, text(' and late'), endOf(2))
  expect((await run.final()).text).toBe('early and late')
  expect(bed.attached()).toEqual([])
})

it.each(['before', 'after'] as const)('takes a replay that comes %s its answer', async (when) => {
  const { bed, run } = await runningBed()
  bed.replays = when
  bed.write(1, text('a'), text('b'), endOf(1))
  await bed.pass(2_000)
  expect([bed.attached(), (await run.final()).text]).toEqual([[0], 'ab'])
})

it('asks on for the rest of a replay of which a part came before its answer', async () => {
  const { bed, run } = await runningBed()
  bed.replays = 'never'
  bed.write(1, text('a'), text('b'), endOf(1))
  bed.holding = 'session.attach'
  await bed.pass(2_000)
  bed.send(1, 1)
  await bed.release()
  bed.replays = 'after'
  await bed.pass(500)
  expect([bed.attached(), (await run.final()).text]).toEqual([[0, 1], 'ab'])
})

verifies('design.sdk.settles', 'settles everything when the document goes away', async () => {
  const { bed, session, run } = await runningBed()
  bed.tell(1, text('a'))
  const all = [run.final(), session.run('more').then((other) => other.final())].map(codeOf)
  const reading = [readAll(run.text()), readAll(run.frames())]
  await settled()
  bed.ended.abort()
  expect(await Promise.all(all)).toEqual(['bridge_reset', 'bridge_reset'])
  for (const read of await Promise.all(reading))
    expect(read.at(-1)).toMatchObject({ code: 'bridge_reset', details: { text: 'a' } })
  const late = await session.run('late')
  expect([await codeOf(late.final()), bed.left()]).toEqual(['bridge_reset', 1])
})

it('is asked for again when its channel was lost in the middle of an attach', async () => {
  const { bed, run } = await runningBed()
  bed.tell(1, text('a'))
  bed.write(1, text('b'), endOf(1))
  bed.replays = 'never'
  bed.holding = 'session.attach'
  bed.hub.emit('reset')
  await settled()
  bed.failAll((name) => new HostRpcError({ code: 'bridge_reset', message: name }))
  await bed.release()
  bed.replays = 'after'
  bed.hub.emit('reset')
  await bed.pass(500)
  expect([bed.attached(), (await run.final()).text]).toEqual([[1, 1], 'ab'])
})
