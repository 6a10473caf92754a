import { verifies } from '@svc/conformance/verifies'
import type { WindowEvent } from '@svc/contract'
import { expect, it } from 'vitest'
import { openEvents, userJournal } from '../../events/events.ts'
import { openJobBed, PLUGIN, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'
import { openJobs } from './jobs.ts'
import { progressJournal } from './journals.ts'

const ORDER = {
  userId: 'ada',
  appId: 'app_1',
  plugin: PLUGIN,
  tool: 'all',
  args: {},
  timeout: { effective: 60_000, clampedFrom: null },
  clientTag: null,
  origin: '',
}

/** A test bed whose events go through journals, and who follows two of them in this process. */
async function openHeard() {
  const bed = openJobBed()
  const { parts, bus, runner } = bed
  const events = openEvents(parts)
  const jobs = openJobs({ ...parts, events })
  const { id } = await jobs.start(ORDER)
  await settled()

  const over = new AbortController()
  const told: string[] = []
  const read: string[] = []
  const follow = async (name: string, hear: (item: string) => void) => {
    for await (const { items } of bus.journal.follow(name, 0, over)) for (const { item } of items) hear(item)
  }
  const following = Promise.all([
    follow(userJournal('ada'), (item) => {
      const { event, seq } = JSON.parse(item) as WindowEvent<'tool_job'>
      told.push(`${event}:${seq}`)
    }),
    follow(progressJournal(id), (item) => read.push(item)),
  ])
  await settled()
  return {
    id,
    told,
    read,
    running: runner.of(id),
    async close() {
      over.abort()
      await following
      await jobs.close()
      await events.close()
      await bed.close()
    },
  }
}

/** What was emitted in a turn of the event loop is written as it ends: only then has the turn passed. */
const turn = async () => {
  await settled()
  await settled()
}

verifies(
  ['event.tool_job', 'decision.progress.numbers'],
  'who follows the journals in this process hears of progress and of the end within one turn of the event loop',
  async () => {
    const { told, read, running, close } = await openHeard()
    expect(told).toEqual(['queued:0', 'running:0'])
    running.tell({ done: 1 })
    await settled()
    expect(read).toEqual(['{"type":"progress","data":{"done":1}}'])
    await settled()
    expect(told.slice(2)).toEqual(['progress:1'])
    running.tell({ done: 2 })
    running.tell({ done: 3 })
    await turn()
    expect(told.slice(3)).toEqual(['progress:2', 'progress:3'])
    running.end(answered({}))
    await turn()
    expect(told.slice(5)).toEqual(['succeeded:3'])
    await close()
  },
)

it('who follows the journal hears that a job runs before its process starts', async () => {
  const bed = openJobBed()
  const events = openEvents(bed.parts)
  const jobs = openJobs({ ...bed.parts, events })
  const over = new AbortController()
  const order: string[] = []
  const following = (async () => {
    for await (const { items } of bed.bus.journal.follow(userJournal('ada'), 0, over))
      for (const { item } of items) order.push((JSON.parse(item) as WindowEvent<'tool_job'>).event)
  })()
  const { job } = bed.runner
  bed.runner.job = (input) => {
    order.push('its process starts')
    return job(input)
  }
  await jobs.start(ORDER)
  await turn()
  expect(order).toEqual(['queued', 'running', 'its process starts'])
  over.abort()
  await following
  await jobs.close()
  await events.close()
  await bed.close()
})
