import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { cursorsOf } from '../access/audit/cursors.ts'
import { eventBed, page, settle, windowId } from '../testing/event-page.ts'

const [a, b, c] = [windowId(1), windowId(2), windowId(3)]
const names = (count: number, from = 1) => Array.from({ length: count }, (_, n) => `t${from + n}`)

describe('what a page hears', () => {
  verifies(
    ['design.events.unnamed', 'design.events.multiplexed', 'design.events.retry'],
    'all its windows in order, as unnamed flat JSON behind a retry of one second',
    async () => {
      const bed = eventBed()
      const { heard, connect } = page(bed, 'ann')
      const connection = connect({ windows: [a, b] })
      await settle()
      for (const [n, window] of [a, b, c, a].entries()) bed.title('ann', window, `t${n}`)
      await settle()
      expect(heard.titles).toEqual(['t0', 't1', 't3'])
      expect(connection.writes[0]).toMatch(/^retry: 1000\n\n/)
      expect(heard.blocks[2]).toMatch(
        new RegExp(
          `^id: \\S+\ndata: {"type":"title_changed","window_uuid":"${a}","revision":1,"title":"t0"}$`,
        ),
      )
    },
  )

  it('gets the events of one tick in one write, and one append carries them', async () => {
    const appends: number[] = []
    const bed = eventBed({}, (bus) => ({
      ...bus,
      journal: {
        ...bus.journal,
        append: (name, seq, items) => {
          appends.push(items.length)
          return bus.journal.append(name, seq, items)
        },
      },
    }))
    const { heard, connect } = page(bed, 'ann')
    const connection = connect({ windows: [a] })
    await settle()
    for (const name of names(100)) bed.title('ann', a, name)
    await settle()
    expect(heard.titles).toEqual(names(100))
    expect(connection.writes).toHaveLength(2)
    expect(appends).toEqual([100])
  })

  it('hears nothing that was emitted before it came without a cursor', async () => {
    const bed = eventBed()
    bed.title('ann', a, 'early')
    await settle()
    const { heard, connect } = page(bed, 'ann')
    connect({ windows: [a] })
    await settle()
    bed.title('ann', a, 'late')
    await settle()
    expect(heard.titles).toEqual(['late'])
  })

  it('follows the journal once for all its readers, until the last one leaves', async () => {
    const follows: (AbortSignal | undefined)[] = []
    const bed = eventBed({}, (bus) => ({
      ...bus,
      journal: {
        ...bus.journal,
        follow(name, after, options) {
          follows.push(options?.signal)
          return bus.journal.follow(name, after, options)
        },
      },
    }))
    const connections = [a, b, a].map((window) => page(bed, 'ann').connect({ windows: [window] }))
    await settle()
    connections[0]?.cut()
    connections[1]?.cut()
    expect(follows.map((signal) => signal?.aborted)).toEqual([false])
    connections[2]?.cut()
    expect(follows.map((signal) => signal?.aborted)).toEqual([true])
  })

  verifies('design.events.foreign', 'a window of another user is like one that never was', async () => {
    const bed = eventBed()
    const ann = page(bed, 'ann')
    const bob = page(bed, 'bob')
    const pages = [ann.connect({ windows: [a] }), bob.connect({ windows: [a, c] })]
    await settle()
    bed.title('ann', a, 'of ann')
    await settle()
    expect(ann.heard.titles).toEqual(['of ann'])
    expect(bob.heard.titles).toEqual([])
    expect(pages[1]?.writes).toHaveLength(1)
  })

  it.each([
    { jobs: true, windows: [a], heard: 2 },
    { jobs: true, windows: [], heard: 1 },
    { jobs: false, windows: [a], heard: 1 },
    { jobs: false, windows: [], heard: 0 },
  ])('of jobs: jobs $jobs and windows $windows hear $heard', async ({ heard: count, ...query }) => {
    const bed = eventBed()
    const { heard, connect } = page(bed, 'ann')
    connect(query)
    await settle()
    const job = { job_id: 'j', tool_id: 't', state: 'running', seq: 1, event: 'progress', terminal: false }
    bed.events.emit('ann', 'tool_job', a, job)
    bed.events.emit('ann', 'tool_job', null, job)
    await settle()
    expect(heard.titles).toHaveLength(count)
  })

  verifies(
    'bridge.held',
    'a stream in short pieces ends after a second, and the next one goes on',
    async () => {
      const bed = eventBed()
      const { heard, connect } = page(bed, 'ann')
      const first = connect({ windows: [a], poll: true })
      await settle()
      bed.title('ann', a, 'one')
      await settle()
      expect([first.state, heard.titles]).toEqual(['open', ['one']])
      await bed.clock.advance(1_000)
      expect([first.state, bed.clock.timers]).toEqual(['ended', 0])
      bed.title('ann', a, 'two')
      connect({ windows: [a], poll: true })
      await settle()
      expect(heard.titles).toEqual(['one', 'two'])
    },
  )

  verifies(
    'sign_in.page_ends',
    'a stream ends with what its page is signed in with, and the next one loses nothing',
    async () => {
      const bed = eventBed()
      const { heard, connect } = page(bed, 'ann')
      const first = connect({ windows: [a], untilMs: bed.clock.now() + 300_000 })
      await settle()
      await bed.clock.advance(299_999)
      bed.title('ann', a, 'one')
      await settle()
      expect([first.state, heard.titles]).toEqual(['open', ['one']])
      await bed.clock.advance(1)
      expect([first.state, bed.clock.timers]).toEqual(['ended', 0])
      bed.title('ann', a, 'two')
      connect({ windows: [a], untilMs: bed.clock.now() + 300_000 })
      await settle()
      expect(heard.titles).toEqual(['one', 'two'])
    },
  )

  verifies('design.events.comment', 'a comment each 15 s, and the cursor where it moved', async () => {
    const bed = eventBed()
    const { heard, connect } = page(bed, 'ann')
    const connection = connect({ windows: [a] })
    await settle()
    const first = heard.cursor
    await bed.clock.advance(45_000)
    expect(connection.writes.slice(1)).toEqual([':\n\n', ':\n\n', ':\n\n'])
    bed.title('ann', b, 'unasked')
    await settle()
    await bed.clock.advance(15_000)
    expect(connection.writes.at(-1)).toMatch(/^:\n\nevent: cursor\nid: \S+\ndata: {}\n\n$/)
    expect(heard.cursor).not.toBe(first)
  })
})

describe('where a page goes on', () => {
  verifies(
    'design.events.resume',
    'exactly behind its cursor, with the windows it asks for now',
    async () => {
      const bed = eventBed()
      const { heard, connect } = page(bed, 'ann')
      const first = connect({ windows: [a] })
      await settle()
      bed.title('ann', a, 't1')
      await settle()
      bed.title('ann', b, 't2')
      await settle()
      first.cut()
      bed.title('ann', a, 't3')
      bed.title('ann', b, 't4')
      await settle()
      connect({ windows: [a, b] })
      await settle()
      bed.title('ann', b, 't5')
      await settle()
      expect(heard.titles).toEqual(names(5))
      expect(heard.resets).toBe(0)
    },
  )

  const foreign = (seq: number) => cursorsOf('epoch', 'bob').write(seq)
  verifies.each(['decision.events.foreign_cursor', 'design.events.reset', 'design.events.cursor_bound'])([
    { why: 'is of another user', cursor: foreign(2) },
    { why: 'is malformed', cursor: 'not a cursor' },
    { why: 'is of lost journals', cursor: cursorsOf('older', 'ann').write(2) },
    { why: 'lies beyond the end', cursor: cursorsOf('epoch', 'ann').write(7) },
    { why: 'is too old', cursor: cursorsOf('epoch', 'ann').write(1) },
  ])('begins anew with a reset when its cursor $why', async ({ cursor }) => {
    const bed = eventBed({}, (bus) => ({ ...bus, epoch: 'epoch' }))
    for (const name of names(5)) bed.title('ann', a, name)
    await settle()
    await bed.bus.journal.trim('user:ann', { keep: 2 })
    const { heard, connect } = page(bed, 'ann')
    connect({ windows: [a], lastEventId: cursor })
    await settle()
    expect(heard.blocks[1]).toMatch(/^event: reset\nid: \S+\ndata: {}$/)
    bed.title('ann', a, 't6')
    await settle()
    expect(heard).toMatchObject({ titles: ['t6'], resets: 1, cursor: cursorsOf('epoch', 'ann').write(6) })
  })

  it('goes on at the first event that is kept, without a reset', async () => {
    const bed = eventBed({}, (bus) => ({ ...bus, epoch: 'epoch' }))
    for (const name of names(5)) bed.title('ann', a, name)
    await settle()
    await bed.bus.journal.trim('user:ann', { keep: 2 })
    const { heard, connect } = page(bed, 'ann')
    connect({ windows: [a], lastEventId: cursorsOf('epoch', 'ann').write(3) })
    await settle()
    expect(heard).toMatchObject({ titles: ['t4', 't5'], resets: 0 })
  })

  it('is ended when the journal is gone, and told to begin anew when it comes back', async () => {
    const bed = eventBed()
    const { heard, connect } = page(bed, 'ann')
    const connection = connect({ windows: [a] })
    await settle()
    bed.title('ann', a, 't1')
    await settle()
    await bed.bus.journal.drop('user:ann')
    await settle()
    expect(connection.state).toBe('ended')
    connect({ windows: [a] })
    await settle()
    expect(heard).toMatchObject({ titles: ['t1'], resets: 1 })
  })
})

describe('the end', () => {
  it.each(['closes', 'loses its page', 'loses its page while it opens', 'loses its bus'])(
    'leaves no timer, reader or follower when a stream %s',
    async (how) => {
      const bed = eventBed()
      const { connect } = page(bed, 'ann')
      const connections = [connect({ windows: [a] }), connect({ windows: [b], reads: false })]
      if (!how.includes('opens')) await settle()
      for (const name of names(5)) bed.title('ann', b, name)
      await settle(how.includes('opens') ? 0 : 24)
      if (how === 'closes') bed.streams.close()
      else if (how === 'loses its bus') await bed.bus.close()
      else for (const connection of connections) connection.cut()
      await settle()
      expect(bed.open.readers).toBe(0)
      expect(bed.clock.timers).toBe(0)
      if (how === 'closes') expect(connections[0]?.state).toBe('ended')
    },
  )

  it('ends a stream that is opened behind it, and twice is harmless', async () => {
    const bed = eventBed()
    bed.streams.close()
    bed.streams.close()
    expect(page(bed, 'ann').connect({ windows: [a] }).state).toBe('ended')
    expect(bed.open.readers).toBe(0)
  })

  it('ends a stream whose journal cannot be read', async () => {
    const bed = eventBed()
    await bed.bus.close()
    const connection = page(bed, 'ann').connect({ windows: [a] })
    await settle()
    expect(connection.state).toBe('ended')
    expect(bed.open.readers).toBe(0)
  })
})
