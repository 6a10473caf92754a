import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import type { Bus } from '@svc/state'
import { memoryBus } from '@svc/state'
import { pino } from 'pino'
import { expect } from 'vitest'
import { frameJournal } from '../../catalog/run-row.ts'
import { settled } from '../../testing/runs.ts'
import { openFrameWriter } from './frame-writer.ts'

const log = pino({ level: 'silent' })

/** A frame writer over a journal whose writes are noted, and may be made to fail or to lose their answers. */
function open(next: ('fail' | 'deafen')[] = []) {
  const clock = frozenClock()
  const under = memoryBus({ clock })
  const writes: (readonly string[])[] = []
  const told: string[] = []
  const append: Bus['journal']['append'] = async (name, seq, items) => {
    const fault = next.shift()
    if (fault === 'fail') throw new Error('the bus is away')
    writes.push(items)
    const written = await under.journal.append(name, seq, items)
    if (fault === 'deafen') throw new Error('the answer was lost')
    return written
  }
  const bus = { ...under, journal: { ...under.journal, append } }
  const frameWriter = openFrameWriter({ bus, clock, limits, log }, 'strm_1', {
    lost: () => void told.push('lost'),
    full: () => void told.push('full'),
  })
  const read = async () => (await under.journal.read(frameJournal('strm_1'), 0)).items.map(({ item }) => item)
  return { frameWriter, writes, told, read, clock, under }
}

verifies(
  'design.stream.few_writes',
  'the first frame is written at once, those of one turn of the event loop together',
  async () => {
    const { frameWriter, writes } = open()
    frameWriter.write('1')
    expect(writes).toEqual([['1']])
    for (const frame of ['2', '3', '4']) frameWriter.write(frame)
    await Promise.resolve().then(() => frameWriter.write('5'))
    expect(writes).toEqual([['1']])
    await settled(2)
    expect(writes).toEqual([['1'], ['2', '3', '4', '5']])
    await settled(2)
    frameWriter.write('6')
    expect(writes).toHaveLength(3)
    expect(await frameWriter.end(['7', '8'])).toBe(true)
    expect(writes.at(-1)).toEqual(['7', '8'])
    frameWriter.write('late')
    await settled(2)
    expect(writes).toHaveLength(4)
  },
)

verifies.each('design.stream.away')([
  [['fail', 'fail']],
  [['deafen']],
  [['deafen', 'fail', 'deafen']],
  [['fail', 'deafen', 'fail']],
] as const)('frames outlive a bus that goes %j, each once', async (faults) => {
  const { frameWriter, read, clock } = open([...faults])
  for (const frame of ['1', '2', '3']) frameWriter.write(frame)
  const ended = frameWriter.end(['4'])
  for (let second = 0; second < 8; second += 1) {
    await settled()
    await clock.advance(limits.RUN_CHECK_MS)
  }
  expect(await ended).toBe(true)
  expect(await read()).toEqual(['1', '2', '3', '4'])
  expect(clock.timers).toBe(0)
})

verifies('decision.host_crash.run_fenced', 'frames behind those of somebody else are refused', async () => {
  const { frameWriter, read, told, under } = open()
  frameWriter.write('1')
  await settled()
  await under.journal.append(frameJournal('strm_1'), 2, ['end of another'])
  frameWriter.write('2')
  await settled()
  expect(told).toEqual(['lost'])
  expect(await frameWriter.end(['3'])).toBe(false)
  expect(await read()).toEqual(['1', 'end of another'])
})

verifies('design.stream.away', 'a frame writer that is closed waits for nothing', async () => {
  const { frameWriter, clock } = open(Array.from({ length: 9 }, () => 'fail'))
  frameWriter.write('1')
  const ended = frameWriter.end(['2'])
  await settled()
  frameWriter.close()
  expect(await ended).toBe(false)
  expect(clock.timers).toBe(0)
})
