import { bindingSize } from '@svc/conformance/testing/bundle-size'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'

verifies('bindings.size', 'all hooks together are small', async () => {
  const base = `export * from '@svc/sdk'`
  const bytes = await bindingSize(import.meta.dirname, base, `export * from '@svc/react'`)
  expect(bytes).toBeGreaterThan(1_000)
  expect(bytes).toBeLessThanOrEqual(1_500)
})

verifies('bindings.size', 'the window adds little to the bridge', async () => {
  const base = `export * from '@svc/bridge'`
  const bytes = await bindingSize(import.meta.dirname, base, `export * from '@svc/react/window'`)
  expect(bytes).toBeGreaterThan(500)
  expect(bytes).toBeLessThanOrEqual(1_700)
})
