import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { adminOfTest, busesOfTest, redisOfTest } from '../testing/redis-hold.ts'

verifies('cluster.bus.signed', 'what others write to Redis, or write again, no host hears', async () => {
  const { url } = await redisOfTest()
  const told: string[] = []
  const open = busesOfTest(url, {
    prefix: 'svc',
    secret: 's'.repeat(43),
    onError: (error) => told.push(String(error)),
  })
  const [here, there] = [await open(), await open()]
  const channel = 'svc@0:topic:approvals'
  const sent: string[] = []
  const eavesdropper = await adminOfTest(url)
  eavesdropper.on('message', (_, text) => sent.push(text))
  await eavesdropper.subscribe(channel)
  const heard: string[] = []
  await here.subscribe('approvals', (message) => void heard.push(message))

  await there.publish('approvals', '"no"')
  await expect.poll(() => sent.length).toBe(1)
  const stranger = await adminOfTest(url)
  await stranger.publish(channel, '"yes"')
  await stranger.publish(channel, sent[0] ?? '')
  await there.publish('approvals', '"last"')
  await expect.poll(() => heard.at(-1)).toBe('"last"')
  expect(heard).toEqual(['"no"', '"last"'])
  expect(told).toEqual([expect.stringContaining('it is not signed')])
})
