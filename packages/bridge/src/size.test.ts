import { bundleSize } from '@svc/conformance/fixtures/bundle-size'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'

verifies('design.no_zod', 'is small and has no zod in it', async () => {
  const { bytes, text } = await bundleSize(`export { createBridge } from '@svc/bridge'`)
  expect(bytes).toBeLessThanOrEqual(8_000)
  expect(text).not.toMatch(/zod/i)
})
