import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import type { Store } from '@svc/state'
import { memoryStore } from '@svc/state'
import { expect } from 'vitest'
import { isRunning, type RunRow, runs } from '../../catalog/run-row.ts'
import { sayingModel } from '../../testing/run-model.ts'
import { kindsOf, openRunBed, settled } from '../../testing/runs.ts'

const contentsOf = (talks: readonly { options: { prompt: readonly { content: unknown }[] } }[]) =>
  talks.map(({ options }) => JSON.stringify(options.prompt.at(-1)?.content).match(/run \d/)?.[0])

verifies(
  'design.run.order',
  'runs of a session go one at a time in the order accepted, and each knows what was said before it',
  async () => {
    const bed = openRunBed()
    const session = await bed.session()
    const all = await Promise.all([0, 1, 2, 3].map((at) => bed.start(session, { content: `run ${at}` })))
    for (const at of [0, 1, 2, 3]) {
      await settled(8)
      expect(bed.model.talks).toHaveLength(at + 1)
      expect(bed.model.open()).toHaveLength(1)
      bed.model.open()[0]?.say(`answer ${at}`)
      bed.model.open()[0]?.finish()
      await bed.ended(all[at]?.stream_id ?? '')
    }
    expect(contentsOf(bed.model.talks)).toEqual(['run 0', 'run 1', 'run 2', 'run 3'])
    expect(
      bed.model.talks
        .at(-1)
        ?.options.prompt.map(({ role }) => role)
        .join(),
    ).toBe('user,assistant,user,assistant,user,assistant,user')
    await bed.close()
  },
)

verifies('design.run.order', 'runs of other sessions, and streams, do not wait', async () => {
  const bed = openRunBed()
  await bed.start(await bed.session())
  await bed.start(await bed.session())
  await bed.runs.stream(bed.caller, {
    messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
  })
  await settled(8)
  expect(bed.model.open()).toHaveLength(3)
  await bed.close()
})

verifies('design.run.order', 'two hosts take turns, whichever accepted a run', async () => {
  const a = openRunBed()
  const b = openRunBed({ store: a.store, bus: a.bus, clock: a.clock })
  const session = await a.session()
  const started = []
  for (const [at, bed] of [a, b, a, b].entries()) {
    started.push(await bed.start(session, { content: `run ${at}` }))
    await a.clock.advance(1)
  }
  for (const [at, bed] of [a, b, a, b].entries()) {
    await a.clock.advance(limits.RUN_CHECK_MS)
    await settled(8)
    expect([a.model.open().length, b.model.open().length]).toEqual(bed === a ? [1, 0] : [0, 1])
    bed.model.open()[0]?.say('done')
    bed.model.open()[0]?.finish()
    expect(kindsOf(await bed.ended(started[at]?.stream_id ?? '')).at(-1)).toBe('end')
  }
  expect(contentsOf([...a.model.talks, ...b.model.talks])).toEqual(['run 0', 'run 2', 'run 1', 'run 3'])
  await a.close()
  await b.close()
})

verifies('design.run.order', 'a run whose beginning was written and not answered goes on', async () => {
  const under = memoryStore()
  let deaf = true
  const store: Store = {
    ...under,
    async swap(collection, id, revision, row, options) {
      const swapped = await under.swap(collection, id, revision, row, options)
      if (!deaf || (collection as unknown) !== runs || !isRunning(row as unknown as RunRow)) return swapped
      deaf = false
      throw new Error('the answer was lost')
    },
  }
  const bed = openRunBed({ store, model: sayingModel('ok') })
  const { stream_id } = await bed.start(await bed.session())
  await settled(4)
  expect(deaf).toBe(false)
  await bed.clock.advance(limits.RUN_CHECK_MS)
  const kinds = kindsOf(await bed.ended(stream_id))
  expect(kinds).toEqual(['queued', 'started', 'run_meta', 'content', 'task_complete', 'end'])
  await bed.close()
})
