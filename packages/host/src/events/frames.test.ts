import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { frameJournal, runs } from '../catalog/run-row.ts'
import { eventBed, type HeardFrame, page, settle, windowId } from '../testing/event-page.ts'
import { runOf } from '../testing/event-run.ts'

const [a, b] = [windowId(1), windowId(2)]
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, at) => from + at)
const seqs = (frames: readonly HeardFrame[], window = a) =>
  frames.filter(({ window_uuid }) => window_uuid === window).map(({ seq }) => seq)

/** A test bed in which follows and readings of journals are counted. */
function countingBed() {
  const follows: { name: string; signal: AbortSignal | undefined }[] = []
  const bed = eventBed({}, (bus) => ({
    ...bus,
    journal: {
      ...bus.journal,
      follow(name, after, options) {
        follows.push({ name, signal: options?.signal })
        return bus.journal.follow(name, after, options)
      },
    },
  }))
  return { ...bed, follows }
}

describe('what a page hears of a run', () => {
  verifies(
    ['event.rpc_stream', 'design.stream.unnamed', 'stream.frame'],
    'every frame as rpc.stream without a cursor, done with the last',
    async () => {
      const bed = eventBed()
      const { heard, connect } = page(bed, 'ann')
      connect({ windows: [a] })
      await settle()
      const run = runOf(bed)
      await run.accept()
      await run.speak('one "é"\n\n')
      await settle()
      await run.end()
      await settle()
      expect(heard.frames).toEqual([
        {
          type: 'rpc.stream',
          window_uuid: a,
          stream_id: run.streamId,
          seq: 1,
          payload: { event: 'sse', text: 'one "é"\n\n' },
          done: false,
        },
        {
          type: 'rpc.stream',
          window_uuid: a,
          stream_id: run.streamId,
          seq: 2,
          payload: { event: 'end', run_id: windowId(9) },
          done: true,
        },
      ])
      const frames = heard.blocks.filter((block) => block.includes('rpc.stream'))
      expect(frames).toHaveLength(2)
      for (const block of frames) expect(block).toMatch(/^data: \{"type":"rpc\.stream","window_uuid":.*\}$/)
      expect(heard.titles).toEqual([])
      expect(heard.blocks.join()).not.toContain('rpc.follow')
    },
  )

  it('hears the runs of its own windows only, and no text that merely looks like an end', async () => {
    const bed = eventBed()
    const { heard, connect } = page(bed, 'ann')
    connect({ windows: [a] })
    await settle()
    const [own, other] = [runOf(bed), runOf(bed, { window_uuid: b })]
    for (const run of [own, other]) {
      await run.accept()
      await run.speak('{"event":"end"}')
    }
    await settle()
    await own.speak('more')
    await settle()
    expect(heard.frames.map(({ stream_id, done }) => [stream_id, done])).toEqual([
      [own.streamId, false],
      [own.streamId, false],
    ])
  })

  it('sends frames of several streams that come in one tick in one write, and events with them', async () => {
    const bed = eventBed()
    const { heard, connect } = page(bed, 'ann')
    const connection = connect({ windows: [a, b] })
    const all = [a, b, a, b].map((window_uuid) => runOf(bed, { window_uuid }))
    for (const run of all) await run.accept()
    await settle()
    const before = connection.writes.length
    for (const run of all) void run.speak('x')
    await settle()
    expect(connection.writes.length - before).toBe(1)
    expect(heard.frames).toHaveLength(4)
  })

  it('follows a stream once for all that hear it, builds its bytes once, and lets go of it behind its end', async () => {
    const bed = countingBed()
    const pages = [1, 2, 3].map(() => page(bed, 'ann'))
    for (const { connect } of pages) connect({ windows: [a] })
    await settle()
    const run = runOf(bed)
    await run.accept()
    await run.speak('x', 'y')
    await settle()
    await run.end()
    await settle()
    for (const { heard } of pages) expect(seqs(heard.frames)).toEqual([1, 2, 3])
    const [first, ...more] = bed.follows.filter(({ name }) => name === frameJournal(run.streamId))
    expect([more.length, first?.signal?.aborted]).toEqual([0, true])
  })

  it('builds the bytes of a frame once for all that get the same', async () => {
    const bed = eventBed()
    const written = [[], []] as Uint8Array[][]
    for (const bytes of written) {
      const sink = { write: (each: Uint8Array) => bytes.push(each) > 0, waiting: 0, end() {}, destroy() {} }
      bed.streams.open({ userId: 'ann', windows: [a], jobs: false, lastEventId: null, streams: [] }, sink)
    }
    const run = runOf(bed)
    await run.accept()
    await settle()
    await run.speak('x')
    await settle()
    expect(written[0]?.at(-1)?.toString()).toContain('"text":"x"')
    expect(written[0]?.at(-1)).toBe(written[1]?.at(-1))
  })

  verifies(
    ['design.stream.slow_reader', 'design.events.reader_cost'],
    'costs its buffer with all its streams, or one frame above it, and loses nothing',
    async () => {
      const bed = eventBed({ READER_BUFFER_MAX_BYTES: 4_000 })
      const { heard, connect } = page(bed, 'ann')
      const slow = connect({ windows: [a], reads: false })
      await settle()
      const all = upTo(5).map(() => runOf(bed))
      for (const run of all) {
        await run.accept()
        await run.speak('x'.repeat(3_000), 'y'.repeat(5_000))
      }
      for (let left = 200; left > 0; left -= 1) {
        await settle(6)
        expect(slow.waiting).toBeLessThanOrEqual(5_300)
        slow.take(2_000)
      }
      expect([slow.state, heard.frames.length, heard.strays]).toEqual(['open', 10, []])
    },
  )

  verifies('design.stream.slow_reader', 'whatever becomes of the other pages of its user', async () => {
    const bed = eventBed({ READER_BUFFER_MAX_BYTES: 2_000 })
    const stalled = page(bed, 'ann').connect({ windows: [a], reads: false })
    const { heard, connect } = page(bed, 'ann')
    connect({ windows: [a] })
    await settle()
    const run = runOf(bed)
    await run.accept()
    for (const n of upTo(200)) {
      await run.speak(`token ${n}`)
      if (n % 7 === 0) await settle(1)
      expect(stalled.waiting).toBeLessThanOrEqual(2_000)
    }
    await settle()
    expect(seqs(heard.frames)).toEqual(upTo(200))
  })
})

describe('where a page begins', () => {
  verifies(
    'design.stream.unasked',
    'with the first frame of each run of its windows that is not all there, whatever it has as its cursor',
    async () => {
      const bed = eventBed()
      const [live, ended, other] = [runOf(bed), runOf(bed), runOf(bed, { window_uuid: b })]
      for (const run of [live, ended, other]) {
        await run.accept()
        await run.speak('x', 'y')
      }
      await ended.end()
      await settle()
      const fresh = page(bed, 'ann')
      fresh.connect({ windows: [a] })
      const early = page(bed, 'ann')
      const none = early.connect({ windows: [] })
      await settle()
      none.cut()
      early.connect({ windows: [a] })
      await settle()
      await live.end()
      await settle()
      for (const { heard } of [fresh, early]) {
        expect(heard.frames.map(({ stream_id, seq }) => [stream_id, seq])).toEqual(
          upTo(3).map((seq) => [live.streamId, seq]),
        )
      }
    },
  )

  verifies(
    'design.stream.resume',
    'where it names a stream, though it has ended meanwhile, and with no frame twice',
    async () => {
      const bed = eventBed()
      const run = runOf(bed)
      const { heard, connect } = page(bed, 'ann')
      const first = connect({ windows: [a] })
      await run.accept()
      await run.speak('1', '2', '3')
      await settle()
      first.cut()
      await run.speak('4')
      await run.end()
      const second = connect({ windows: [a] })
      await settle()
      expect(seqs(heard.frames)).toEqual(upTo(5))
      second.cut()
      connect({ windows: [a] })
      await settle()
      expect(seqs(heard.frames)).toEqual(upTo(5))
    },
  )

  it('hears a run that began and ended while it was away', async () => {
    const bed = eventBed()
    const { heard, connect } = page(bed, 'ann')
    const first = connect({ windows: [a] })
    await settle()
    first.cut()
    const run = runOf(bed)
    await run.accept()
    await run.speak('1')
    await run.end()
    await settle()
    for (const _ of upTo(2)) {
      const again = connect({ windows: [a] })
      await settle()
      again.cut()
    }
    expect(seqs(heard.frames)).toEqual([1, 2])
  })

  it.each([
    { when: 'goes on', ends: false },
    { when: 'has ended', ends: true },
  ])('does not begin again a run whose beginning is told when it $when', async ({ ends }) => {
    const bed = eventBed()
    const run = runOf(bed)
    const { heard, connect } = page(bed, 'ann')
    await run.store()
    const first = connect({ windows: [a] })
    await run.speak('1', '2')
    await settle()
    if (ends) await run.end()
    await settle()
    await run.tell()
    await settle()
    if (!ends) await run.end()
    first.cut()
    connect({ windows: [a] })
    await settle()
    expect([seqs(heard.frames), heard.strays]).toEqual([[1, 2, 3], []])
  })

  it('goes on with a run whose beginning is told twice', async () => {
    const bed = eventBed()
    const { heard, connect } = page(bed, 'ann')
    connect({ windows: [a] })
    await settle()
    const run = runOf(bed)
    await run.accept()
    await run.speak('1', '2')
    await settle()
    await run.tell()
    await run.end()
    await settle()
    expect(seqs(heard.frames)).toEqual([1, 2, 3])
  })

  it('goes on where it names a stream whose beginning lies behind its cursor', async () => {
    const bed = eventBed()
    const { heard, connect } = page(bed, 'ann')
    connect({ windows: [a] }).cut()
    await settle()
    const run = runOf(bed)
    await run.accept()
    await run.speak('1', '2', '3')
    const streams = [{ streamId: run.streamId, after: 2, windowUuid: null }]
    connect({ windows: [a], lastEventId: heard.cursor, streams })
    await settle()
    expect(seqs(heard.frames)).toEqual([3])
  })

  it('has passed the beginning of a run before its frames, though its events come late', async () => {
    let isHeld = true
    const bed = eventBed({}, (bus) => ({
      ...bus,
      journal: {
        ...bus.journal,
        async *follow(name, after, options) {
          for await (const batch of bus.journal.follow(name, after, options)) {
            while (isHeld && name.startsWith('user:')) await settle(1)
            yield batch
          }
        },
      },
    }))
    const run = runOf(bed)
    const { scan } = bed.store
    // The page has read the end of the journal when the run begins, and the run's row is what it finds next.
    const late = async (...args: Parameters<typeof scan>) => {
      bed.store.scan = scan
      await run.accept()
      return scan(...args)
    }
    bed.store.scan = late as typeof scan
    const { heard, connect } = page(bed, 'ann')
    const first = connect({ windows: [a] })
    await settle()
    await run.speak('1')
    await run.end()
    await settle()
    first.cut()
    isHeld = false
    connect({ windows: [a] })
    await settle()
    expect(seqs(heard.frames)).toEqual([1, 2])
  })

  it('begins the live runs again behind a reset, and those it names where it names them', async () => {
    const bed = eventBed()
    const [named, unasked] = [runOf(bed), runOf(bed)]
    for (const run of [named, unasked]) {
      await run.accept()
      await run.speak('1', '2', '3')
    }
    await settle()
    const { heard, connect } = page(bed, 'ann')
    const streams = [{ streamId: named.streamId, after: 2, windowUuid: null }]
    connect({ windows: [a], lastEventId: 'lost', streams })
    await settle()
    const of = (run: typeof named) => seqs(heard.frames.filter(({ stream_id }) => stream_id === run.streamId))
    expect([heard.resets, of(named), of(unasked)]).toEqual([1, [3], [1, 2, 3]])
  })

  verifies.each(['design.stream.foreign'])([
    { why: 'is of another user', place: { user_id: 'bob' } },
    { why: 'hears it in a window that it does not show', place: { window_uuid: b } },
    { why: 'no window asked for', place: { window_uuid: null } },
  ])('says nothing of a named stream that $why', async ({ place }) => {
    const bed = eventBed()
    const run = runOf(bed, place)
    await run.accept()
    await run.speak('secret')
    await settle()
    const { heard, connect } = page(bed, 'ann')
    const unknown = page(bed, 'ann')
    connect({ windows: [a], streams: [{ streamId: run.streamId, after: 0, windowUuid: null }] })
    unknown.connect({ windows: [a], streams: [{ streamId: 'strm_none', after: 0, windowUuid: null }] })
    await settle()
    await run.speak('more')
    await settle()
    expect(heard.blocks).toEqual(unknown.heard.blocks)
  })

  it('of another user says nothing though the page names a window of its own', async () => {
    const bed = eventBed()
    const run = runOf(bed, { user_id: 'bob' })
    await run.accept()
    await run.speak('secret')
    const { heard, connect } = page(bed, 'ann')
    connect({ windows: [a], streams: [{ streamId: run.streamId, after: 0, windowUuid: a }] })
    await settle()
    expect(heard.frames).toEqual([])
  })

  it.each([
    { why: 'lies beyond the last frame', after: 9, drop: false },
    { why: 'is of frames that are gone', after: 1, drop: true },
  ])('follows nothing, and keeps the page, when a place $why', async ({ after, drop }) => {
    const bed = eventBed()
    const run = runOf(bed)
    await run.accept()
    await run.speak('1', '2')
    await settle()
    if (drop) await bed.bus.journal.drop(frameJournal(run.streamId))
    const { heard, connect } = page(bed, 'ann')
    const connection = connect({ windows: [a], streams: [{ streamId: run.streamId, after, windowUuid: a }] })
    await settle()
    bed.title('ann', a, 'alive')
    await settle()
    expect([heard.frames, heard.titles, connection.state]).toEqual([[], ['alive'], 'open'])
  })
})

describe('a replay', () => {
  verifies(
    'design.stream.attach',
    'sends a window the frames after a seq again, then goes on, and leaves the copy of another alone',
    async () => {
      const bed = eventBed()
      const { heard, connect } = page(bed, 'ann')
      const first = connect({ windows: [a, b] })
      const run = runOf(bed)
      await run.accept()
      await run.speak('1', '2', '3', '4')
      await settle()
      bed.events.follow('ann', b, run.streamId, 0)
      await settle()
      bed.events.follow('ann', a, run.streamId, 2)
      await settle()
      await run.speak('5')
      await settle()
      expect(seqs(heard.frames, a)).toEqual([1, 2, 3, 4, 3, 4, 5])
      expect(seqs(heard.frames, b)).toEqual(upTo(5))
      first.cut()
      await run.end()
      connect({ windows: [a, b] })
      await settle()
      expect(seqs(heard.frames, a)).toEqual([1, 2, 3, 4, 3, 4, 5, 6])
      expect(seqs(heard.frames, b)).toEqual(upTo(6))
    },
  )

  it('of a run that has ended comes once, though the page connects again and again', async () => {
    const bed = eventBed()
    const { heard, connect } = page(bed, 'ann')
    let connection = connect({ windows: [a] })
    await settle()
    const run = runOf(bed)
    await run.accept()
    await run.speak('1')
    await run.end()
    await settle()
    bed.events.follow('ann', a, run.streamId, 0)
    for (const _ of upTo(3)) {
      await settle()
      connection.cut()
      connection = connect({ windows: [a] })
    }
    await settle()
    expect(seqs(heard.frames)).toEqual([1, 2, 1, 2])
  })

  it('of frames that are gone is not sent, and the page hears on', async () => {
    const bed = eventBed()
    const { heard, connect } = page(bed, 'ann')
    connect({ windows: [a] })
    await settle()
    bed.events.follow('ann', a, 'strm_gone', 3)
    await settle()
    bed.title('ann', a, 'alive')
    await settle()
    expect([heard.frames, heard.titles]).toEqual([[], ['alive']])
  })
})

describe('the end', () => {
  it.each(['closes', 'loses its page', 'loses its bus'])(
    'leaves no timer, reader or follower of frames when a stream %s',
    async (how) => {
      const bed = countingBed()
      const { connect } = page(bed, 'ann')
      const connections = [connect({ windows: [a] }), connect({ windows: [a], reads: false })]
      await settle()
      const run = runOf(bed)
      await run.accept()
      await run.speak('x')
      await settle()
      if (how === 'closes') bed.streams.close()
      else if (how === 'loses its bus') await bed.bus.close()
      else for (const connection of connections) connection.cut()
      await settle()
      expect([bed.open.readers, bed.clock.timers]).toEqual([0, 0])
      expect(bed.follows.map(({ signal }) => signal?.aborted)).toEqual([true, true])
    },
  )

  it('ends the stream of a page whose frames cannot be read: it connects again', async () => {
    let broken = false
    const bed = eventBed({}, (bus) => ({
      ...bus,
      journal: {
        ...bus.journal,
        async *follow(name, after, options) {
          for await (const batch of bus.journal.follow(name, after, options)) {
            if (broken && name.startsWith('run:')) throw new Error('the line broke')
            yield batch
          }
        },
      },
    }))
    const { heard, connect } = page(bed, 'ann')
    const first = connect({ windows: [a] })
    await settle()
    const run = runOf(bed)
    await run.accept()
    await run.speak('1')
    await settle()
    broken = true
    await run.speak('2')
    await settle()
    expect(first.state).toBe('ended')
    broken = false
    connect({ windows: [a] })
    await settle()
    expect(seqs(heard.frames)).toEqual([1, 2])
  })
})

it('finds the streams of a page among many open runs of its user', async () => {
  const bed = eventBed()
  const many = upTo(450).map(() => runOf(bed, { window_uuid: b }))
  for (const run of many) await run.accept()
  const run = runOf(bed, { window_uuid: windowId(3) })
  await run.accept()
  await run.speak('x')
  await settle()
  const { heard, connect } = page(bed, 'ann')
  connect({ windows: [windowId(3)] })
  await settle()
  expect(seqs(heard.frames, windowId(3))).toEqual([1])
  expect((await bed.store.scan(runs, 'openByWindow', { eq: ['ann'], limit: 1 })).rows).toHaveLength(1)
})
