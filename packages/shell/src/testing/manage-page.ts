import { act, createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '../app/app.tsx'
import { createDesk, type Desk } from '../desk/desk.ts'
import { openMemory } from '../state/memory.ts'
import { type StillClock, stillClock } from './clock.ts'
import { type FakeHost, fakeHost } from './fake-bridge.ts'
import type { FakeManage } from './manage-api.ts'

/** The page with Manage open, on a host in memory and a clock that stands still. */
export interface OpenManagePage {
  readonly host: FakeHost
  readonly manage: FakeManage
  readonly desk: Desk
  readonly clock: StillClock
  close(): Promise<void>
}

/** Opens it. `prepare` puts things on the host first. */
export async function openManagePage(
  prepare: (manage: FakeManage, clock: StillClock) => void = () => undefined,
): Promise<OpenManagePage> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  localStorage.clear()
  document.body.innerHTML = '<div id="root"></div>'
  const host = fakeHost()
  const clock = stillClock()
  prepare(host.manage, clock)
  const desk = createDesk({ ...host, ...clock, memory: openMemory(localStorage), locale: 'en' })
  const element = document.querySelector('#root')
  if (!element) throw new Error('no root')
  const root = createRoot(element)
  await act(async () => {
    root.render(createElement(StrictMode, null, createElement(App, { desk })))
    await desk.begin()
  })
  await press('Manage')
  return {
    host,
    desk,
    clock,
    manage: host.manage,
    async close() {
      await act(async () => root.unmount())
      desk.dispose()
    },
  }
}

/** Everything that waits for nothing but promises is over. */
const settled = () => new Promise<void>((done) => setImmediate(done))
/** The first element of a selector. */
export const find = <Kind extends HTMLElement>(selector: string) => document.querySelector<Kind>(selector)
/** What stands in an element; in Manage where none is named. */
export const text = (selector = '#manage') => find(selector)?.textContent ?? ''
/** What a screen reader was told last. */
export const said = () => text('[role=status].unseen')
/** What has the keyboard. */
export const held = () => document.activeElement as HTMLElement
/** The element of a field. */
export const field = (id: string) => find<HTMLInputElement>(`#field-${id}`)
/** A button by the name that a screen reader tells. */
export const button = (name: string) =>
  [...document.querySelectorAll('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent) === name,
  )

/** Presses as a keyboard does: what is pressed has the focus. */
export async function press(name: string): Promise<void> {
  const pressed = button(name)
  if (!pressed) throw new Error(`there is no button ${name}`)
  await act(async () => {
    pressed.focus()
    pressed.click()
    await settled()
  })
}

/** Goes to a tab. */
export const tab = (name: string) =>
  act(async () => {
    const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')]
    tabs.find((one) => one.textContent === name)?.click()
    await settled()
  })

/** Types into an element as React hears it. */
export async function typeInto(input: HTMLElement | null, value: string): Promise<void> {
  if (!input) throw new Error('there is no such field')
  const kind = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  await act(async () => {
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
/** Types into a field. */
export const type = (id: string, value: string) => typeInto(field(id), value)

/** What the page says is missing yet. */
export const missing = () =>
  [...document.querySelectorAll('[aria-label="Still missing"] button')].map((one) => one.textContent)

/** Sends the form that is open; `name`: the one of that name. */
export const submit = (name?: string) =>
  act(async () => {
    const label = name === undefined ? 'aria-label' : `aria-label="${name}"`
    find<HTMLFormElement>(`#manage form[${label}]`)?.requestSubmit()
    await settled()
  })

/** Chooses a radio or a check box by its label. */
export const choose = (label: string) =>
  act(async () =>
    [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label)?.click(),
  )
