import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { createHeartbeat } from './heartbeat.ts'

function heart() {
  const clock = frozenClock()
  const beats: ((fail?: Error) => void)[] = []
  let wake: () => void = () => undefined
  const heartbeat = createHeartbeat({
    clock,
    beat: () =>
      new Promise((resolve, reject) => {
        beats.push((fail) => (fail ? reject(fail) : resolve({})))
      }),
    onWake: (run) => {
      wake = run
    },
  })
  return { clock, beats, heartbeat, wake: () => wake() }
}
const settled = () => new Promise<void>((done) => setImmediate(done))

verifies('window.heartbeat.interval', 'beats every 10 s, one at a time', async () => {
  const { clock, beats, heartbeat } = heart()
  heartbeat.start()
  heartbeat.start()
  clock.advance(10_000)
  clock.advance(10_000)
  expect(beats).toHaveLength(1)
  beats[0]?.(new Error('lost'))
  await settled()
  clock.advance(10_000)
  expect(beats).toHaveLength(2)
})

it('beats at once when a document whose timers stood still is shown again', async () => {
  const { clock, beats, heartbeat, wake } = heart()
  heartbeat.start()
  clock.sleep(9_999)
  wake()
  expect(beats).toHaveLength(0)
  clock.sleep(1)
  wake()
  wake()
  expect(beats).toHaveLength(1)
  beats[0]?.()
  await settled()
  clock.advance(10_000)
  expect(beats).toHaveLength(2)
})

it('stops with the channel, and starts with the next', () => {
  const { clock, beats, heartbeat, wake } = heart()
  heartbeat.start()
  heartbeat.stop()
  clock.advance(60_000)
  wake()
  expect([beats.length, clock.timers]).toEqual([0, 0])
  heartbeat.start()
  clock.advance(10_000)
  expect(beats).toHaveLength(1)
})
