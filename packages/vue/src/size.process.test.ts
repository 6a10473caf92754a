import { bindingSize } from '@svc/conformance/testing/bundle-size'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'

verifies('bindings.size', 'the whole binding is small', async () => {
  const base = `export * from '@svc/sdk'`
  const bytes = await bindingSize(import.meta.dirname, base, `export * from '@svc/vue'`)
  expect(bytes).toBeGreaterThan(1_000)
  expect(bytes).toBeLessThanOrEqual(1_500)
})
