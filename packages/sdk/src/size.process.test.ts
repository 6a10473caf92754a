import { bindingSize, bundleSize } from '@svc/conformance/testing/bundle-size'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'

verifies.each('design.no_zod')([
  ['the core', `export { connect, client, isHostRpcError } from '@svc/sdk/core'`, 2_330],
  ['the whole SDK', `export * from '@svc/sdk'`, 5_450],
])('%s is small and has no zod in it', async (_, contents, max) => {
  const { bytes, text, later } = await bundleSize(contents)
  expect(bytes).toBeLessThanOrEqual(max)
  expect(text + later.text).not.toMatch(/zod/i)
})

it('has its sessions, its runs, what it says of values and files for the user in parts that are loaded on demand, and are small too', async () => {
  const { text, later } = await bundleSize(`export * from '@svc/sdk'`)
  expect(later.bytes).toBeGreaterThan(1_000)
  expect(later.bytes).toBeLessThanOrEqual(3_950)
  expect(
    [text, later.text].map((part) => part.includes('session.attach') || part.includes('stream_gap')),
  ).toEqual([false, true])
})

verifies(
  'sdk.worker.size',
  'svc in a worker is small, with Comlink and all, and so is what wraps it',
  async () => {
    const worker = await bundleSize(`export { svc, expose } from '@svc/sdk/worker'`)
    expect(worker.bytes).toBeLessThanOrEqual(2_600)
    const { dirname } = import.meta
    const wraps = await bindingSize(
      dirname,
      `export * from '@svc/sdk'`,
      `export { wrapWorker } from '@svc/sdk/worker'`,
    )
    expect(wraps).toBeLessThanOrEqual(2_100)
  },
)
