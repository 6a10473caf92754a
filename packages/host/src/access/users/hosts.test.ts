import { openTestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
import { expect } from 'vitest'
import { createHost } from '../../create-host.ts'

verifies('user.block.hosts', 'what a user has at another host ends with it', async () => {
  const clock = frozenClock()
  const ports = { store: memoryStore(), bus: memoryBus({ clock }), blobs: memoryBlobs() }
  const shared = { ...ports, clock, secret: 's'.repeat(32) }
  const here = await openTestHost(shared)
  const there = createHost({ ...shared, runner: null, models: null, signIn: 'dev' })
  const cookie = await here.signIn('ada')
  const ask = () =>
    there.fetch(
      new Request(`${here.origin}/api/v1/svc-apps/runtime/events`, {
        headers: { host: '127.0.0.1:8787', cookie },
      }),
    )
  const stream = await ask()
  expect(stream.status).toBe(200)
  await here.host.users.block('ada')
  await stream.text()
  expect((await ask()).status).toBe(403)
  await there.close()
  await here.close()
})

verifies('user.block.ends', 'what he has here ends, also where the other hosts cannot be told', async () => {
  const bus = memoryBus({ clock: frozenClock() })
  const mute = { ...bus, publish: () => Promise.reject(new Error('the bus is gone')) }
  const here = await openTestHost({ bus: mute, secret: 's'.repeat(32) })
  await here.openWindow()
  await here.host.users.block('ada')
  expect(await here.host.windows.list('ada')).toEqual([])
  await here.close()
  await bus.close()
})
