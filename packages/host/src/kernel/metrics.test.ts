import { expect, it } from 'vitest'
import { openMetrics } from './metrics.ts'

const samplesOf = (text: string) => text.split('\n').filter((line) => line && !line.startsWith('#'))
const delays = (text: string) => samplesOf(text).filter((line) => line.startsWith('nodejs_eventloop_lag_m'))

it('tells no delay of the event loop before Node has measured one, and does not wait for it', async () => {
  const registry = await openMetrics({ processMetrics: true }).registry()
  const first = await registry.metrics()
  expect(delays(first)).toEqual([])
  expect(samplesOf(first).filter((line) => !/ [\d.e+-]+$/.test(line))).toEqual([])
  expect(first).toContain('process_resident_memory_bytes ')

  const measured = /^nodejs_eventloop_lag_m(in|ax|ean)_seconds \d+\.\d+$/
  const later = async () => delays(await registry.metrics())
  await expect.poll(later).toEqual(Array(3).fill(expect.stringMatching(measured)))
})
