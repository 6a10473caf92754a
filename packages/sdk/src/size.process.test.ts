import { bundleSize } from '@svc/conformance/testing/bundle-size'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'

verifies.each('design.no_zod')([
  ['the core', `export { connect, client, isHostRpcError } from '@svc/sdk/core'`, 2_275],
  ['the whole SDK', `export * from '@svc/sdk'`, 5_450],
])('%s is small and has no zod in it', async (_, contents, max) => {
  const { bytes, text, later } = await bundleSize(contents)
  expect(bytes).toBeLessThanOrEqual(max)
  expect(text + later.text).not.toMatch(/zod/i)
})

it('has its sessions and runs in a part that is loaded on demand, and is small too', async () => {
  const { text, later } = await bundleSize(`export * from '@svc/sdk'`)
  expect(later.bytes).toBeGreaterThan(1_000)
  expect(later.bytes).toBeLessThanOrEqual(3_100)
  expect(
    [text, later.text].map((part) => part.includes('session.attach') || part.includes('stream_gap')),
  ).toEqual([false, true])
})
