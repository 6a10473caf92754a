import { createTools, manifest } from '@svc/conformance/testing/bindings-app'
import { verifies } from '@svc/conformance/verifies'
import { createTestHost, type TestHost } from '@svc/testing'
import { mount, unmount } from 'svelte'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import Pending from './testing/async/pending.svelte'

let host: TestHost
let lines: string[]
let gate: PromiseWithResolvers<void>
let shown: object
const place = document.body
const warnings = vi.spyOn(console, 'warn')
const errors = vi.spyOn(console, 'error')

beforeEach(async () => {
  lines = []
  warnings.mockClear()
  errors.mockClear()
  gate = Promise.withResolvers()
  host = await createTestHost({ manifest, tools: createTools({ lines }) })
  await host.openWindow({ document: globalThis })
  shown = mount(Pending, { target: place, props: { gate: gate.promise } })
  await host.clock.settled()
})
afterEach(async () => {
  await host.close()
  expect([warnings.mock.calls, errors.mock.calls]).toEqual([[], []])
})

verifies('bindings.suspense', 'a component that awaits shows its call when it is there', async () => {
  expect(place.textContent?.trim()).toBe('waits')
  gate.resolve()
  await host.clock.settled()
  expect([place.textContent?.trim(), lines]).toEqual(['clear', ['forecast Rome']])
  await unmount(shown)
})

verifies('bindings.suspense', 'a component that goes while it awaits does no harm', async () => {
  await unmount(shown)
  gate.resolve()
  await host.clock.settled()
  expect([place.textContent?.trim(), lines]).toEqual(['', ['forecast Rome']])
})
