import { bindingSize, bundleSize } from '@svc/conformance/testing/bundle-size'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'

// Of these, 0.5 kB are the watch over frames that do not come and the count of what a frame sends; 0.2 kB route events
// by their heads, so that a frame of a run is parsed by nobody but its listeners; 0.1 kB fill in routes by their rows; 0.1 kB
// send again what a closing host has not begun; 0.2 kB close a window whose frame was led to another document, with a
// reason; 0.15 kB load an app again that wrote an address of its own; 0.7 kB find out whether the connection lives, and
// whether it is the host that answers. What is later: the call socket, what apps and pages wish for, why an app did not load, the token
// of a page at another site.
verifies('design.no_zod', 'is small and has no zod in it', async () => {
  const { bytes, text, later } = await bundleSize(`export { createBridge } from '@svc/bridge'`)
  expect(bytes).toBeLessThanOrEqual(10_800)
  expect(later.bytes).toBeLessThanOrEqual(4_450)
  expect(text + later.text).not.toMatch(/zod/i)
})

verifies('bindings.size', 'has a small window element', async () => {
  const base = `export * from '@svc/bridge'`
  const bytes = await bindingSize(import.meta.dirname, base, `export * from '@svc/bridge/element'`)
  expect(bytes).toBeGreaterThan(300)
  expect(bytes).toBeLessThanOrEqual(1_500)
})
