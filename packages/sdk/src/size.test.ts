import { bundleSize } from '@svc/conformance/fixtures/bundle-size'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'

verifies.each('design.no_zod')([
  ['the core', `export { connect, client, isHostRpcError } from '@svc/sdk/core'`, 2_500],
  ['the whole SDK', `export * from '@svc/sdk'`, 7_000],
])('%s is small and has no zod in it', async (_, contents, max) => {
  const { bytes, text } = await bundleSize(contents)
  expect(bytes).toBeLessThanOrEqual(max)
  expect(text).not.toMatch(/zod/i)
})
