// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { createTestHost, type TestHost } from '@svc/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import manifest from '../public/manifest.json' with { type: 'json' }

const html = readFileSync('index.html', 'utf8')

let host: TestHost
beforeEach(async () => {
  host = await createTestHost({ manifest })
})
afterEach(() => host.close())

/** Runs the app in a window of the test's host. */
async function openApp() {
  document.body.innerHTML = html.slice(html.indexOf('<body>'))
  const { window } = await host.openWindow({ document: globalThis })
  vi.resetModules()
  await import('./main.ts')
  return window
}

const heading = () => document.querySelector('h1')?.textContent
/** Frameworks render a little later; a busy machine much later. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 20_000 })
const shows = (text: string) => eventually(() => expect(heading()).toBe(text))

function save(name: string): void {
  const input = document.querySelector('input')
  if (input) input.value = name
  input?.dispatchEvent(new Event('input', { bubbles: true }))
  document.querySelector('button')?.click()
}

it('greets by the name that was saved, also in the title of the window', async () => {
  const window = await openApp()
  await shows('Hello, stranger')
  save('Ada')
  await shows('Hello, Ada')
  await eventually(() => expect(window.title).toBe('Hello, Ada'))
})

it('shows what the host says when the name cannot be saved', async () => {
  const window = await openApp()
  await shows('Hello, stranger')
  await host.fault.hostGone()
  save('Ada')
  await eventually(() => {
    const trouble = document.querySelector<HTMLElement>('.trouble')
    expect(trouble?.dataset.code).toBe('host_unreachable')
    expect(trouble?.textContent).toMatch(/^the host could not be reached.*\.$/)
  })
  expect(window.title).not.toBe('Hello, Ada')
})
