import { manifestSchema } from '@svc/contract'
import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { openStage } from './stage.ts'

const manifest = manifestSchema.parse({
  schema: 3,
  name: 'App',
  version: '1.0.0',
  ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main', default: true }], host_api: {} },
})

/** A browser that ended between two checks. */
const gone = { newContext: () => Promise.reject(new Error('the browser is gone')) } as unknown as Browser

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

it('leaves no clock running where the browser is gone', async () => {
  const before = timers()
  const tools = { toolsAt: () => ({}), notes: [], close: async () => undefined }
  const open = () => openStage({ browser: gone, manifest, dir: '.', story: {}, tools, how: {} })
  // Three of them, as a timer of the test runner may end meanwhile.
  await Promise.all([1, 2, 3].map(() => expect(open()).rejects.toThrow('the browser is gone')))
  expect(timers()).toBeLessThanOrEqual(before)
})
