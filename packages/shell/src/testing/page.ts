import { act, createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '../app/app.tsx'
import { createDesk, type Desk } from '../desk/desk.ts'
// The page loads it when it is first opened; here it is loaded already, so that a test waits for no file.
import '../manage-page/open-manage-page.tsx'
import { openMemory } from '../state/memory.ts'
import { type StillClock, settled, stillClock } from './clock.ts'
import { fakeHost } from './fake-bridge.ts'
import type { FakeHost } from './fake-host.ts'

/** The page on a host in memory and a clock that stands still. */
export interface OpenPage {
  readonly host: FakeHost
  readonly desk: Desk
  readonly clock: StillClock
  /** Moves the clock on, until all is drawn. */
  pass(ms: number): Promise<void>
  close(): Promise<void>
}

/** Opens it. `prepare` puts things on the host first; `begins`: the page asks at once who is signed in. */
export async function openPage(
  prepare: (host: FakeHost, clock: StillClock) => void = () => undefined,
  { begins = true } = {},
): Promise<OpenPage> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  localStorage.clear()
  document.body.innerHTML = '<div id="root"></div>'
  const host = fakeHost()
  const clock = stillClock()
  prepare(host, clock)
  const desk = createDesk({ ...host, ...clock, memory: openMemory(localStorage), locale: 'en' })
  const element = document.querySelector('#root')
  if (!element) throw new Error('no root')
  const root = createRoot(element)
  await act(async () => {
    root.render(createElement(StrictMode, null, createElement(App, { desk })))
    if (begins) await desk.begin()
    await settled()
  })
  return {
    host,
    desk,
    clock,
    pass: (ms) => act(() => clock.pass(ms)),
    async close() {
      await act(async () => root.unmount())
      desk.dispose()
      clock.release()
    },
  }
}

/** The first element of a selector. */
export const find = <Kind extends HTMLElement>(selector: string) => document.querySelector<Kind>(selector)
/** What is in an element. */
export const textOf = (selector: string) => find(selector)?.textContent ?? ''
/** What a screen reader was told last. */
export const said = () => textOf('[role=status].unseen')
/** What has the keyboard. */
export const held = () => document.activeElement as HTMLElement
/** A button by the name that a screen reader tells. */
export const button = (name: string, inside = '') =>
  [...document.querySelectorAll<HTMLButtonElement>(`${inside} button`)].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent) === name,
  )

/** Presses as a keyboard does: what is pressed has the focus. */
export async function press(name: string, inside = ''): Promise<void> {
  const pressed = button(name, inside)
  if (!pressed) throw new Error(`there is no button ${name}`)
  await act(async () => {
    pressed.focus()
    pressed.click()
    await settled()
  })
  // What has been drawn may ask the host.
  await act(settled)
}

/** Types into an element as React hears it. */
export async function typeInto(input: HTMLElement | null, value: string): Promise<void> {
  if (!input) throw new Error('there is no such field')
  const kind = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  await act(async () => {
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

/** Sends a form. */
export const submitForm = (selector: string) =>
  act(async () => {
    find<HTMLFormElement>(selector)?.requestSubmit()
    await settled()
  })

/** Does something, until all is drawn that comes of it. */
export const happen = (what: () => unknown) =>
  act(async () => {
    await what()
    await settled()
  })
