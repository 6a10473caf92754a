import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { refusal, settled } from './testing/call.ts'
import { jobBed } from './testing/job.ts'

const report = vi.fn()
beforeEach(() => vi.stubGlobal('reportError', report))
afterEach(() => {
  vi.unstubAllGlobals()
  report.mockReset()
})

function listening() {
  const bed = jobBed()
  const heard: string[] = []
  const stop = bed.tools.onChanged((tools) => heard.push(tools.map(({ tool_id }) => tool_id).join()))
  const change = (...ids: string[]) => {
    bed.list = ids.map((tool_id) => ({ tool_id }))
    bed.hub.emit('tools.changed', { type: 'tools.changed', window_uuid: 'w' })
  }
  return { bed, heard, stop, change }
}

verifies('tools.on_changed', 'lists the tools again and tells the new list', async () => {
  const { bed, heard, change } = listening()
  await settled()
  expect(bed.count('list')).toBe(0)
  change('a', 'b')
  await settled()
  change()
  await settled()
  expect(heard).toEqual(['a,b', ''])
})

verifies('tools.on_changed', 'lists once more for all that comes while it lists', async () => {
  const { bed, heard, change } = listening()
  bed.holding = 'list'
  change('a')
  await settled()
  for (const id of ['b', 'c', 'd']) change(id)
  await bed.release()
  expect([heard, bed.count('list')]).toEqual([['a', 'd'], 2])
})

it('hears of a change that came before it listened', async () => {
  const bed = jobBed()
  bed.hub.emit('tools.changed', {})
  const heard: unknown[] = []
  bed.tools.onChanged((tools) => heard.push(tools))
  await settled()
  expect(heard).toEqual([[]])
})

verifies('decision.wait.reset', 'lists the tools again after a reset', async () => {
  const { bed, heard } = listening()
  bed.hub.emit('reset')
  await settled()
  expect(heard).toEqual([''])
})

it('reports a listing that fails and a listener that throws, and goes on', async () => {
  const { bed, heard, change } = listening()
  const mine = new Error('mine')
  bed.tools.onChanged(() => {
    throw mine
  })
  const answer = bed.answer
  bed.answer = () => refusal('host_unreachable')
  change('a')
  await settled()
  bed.answer = answer
  change('b')
  await settled()
  expect(heard).toEqual(['b'])
  expect(report.mock.calls.map(([error]) => error.code ?? error.message)).toEqual([
    'host_unreachable',
    'host_unreachable',
    'mine',
  ])
})

it('tells nothing after it was stopped, not even what is on its way', async () => {
  const { bed, heard, stop, change } = listening()
  bed.holding = 'list'
  change('a')
  await settled()
  stop()
  stop()
  await bed.release()
  change('b')
  await settled()
  expect([heard, bed.count('list'), report.mock.calls]).toEqual([[], 1, []])
})
