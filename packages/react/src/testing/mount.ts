import { act, createElement, type ReactNode, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { onTestFinished, vi } from 'vitest'

/** What is on the page. */
export interface Mounted {
  readonly place: HTMLElement
  readonly text: () => string | null
  /** Shows something else in its place. */
  readonly render: (node: ReactNode) => Promise<void>
  readonly unmount: () => Promise<void>
}

/** Puts something on the page, over the markup of a server where there is some. What is there after a test is unmounted. */
export async function mount(node: ReactNode, markup?: string): Promise<Mounted> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const place = document.body.appendChild(document.createElement('main'))
  if (markup) place.innerHTML = markup
  const root = markup ? await act(async () => hydrateRoot(place, node)) : createRoot(place)
  const render = (node: ReactNode) => act(async () => root.render(node))
  await render(node)
  const unmount = async () => {
    await act(async () => root.unmount())
    place.remove()
  }
  onTestFinished(unmount)
  return { place, text: () => place.textContent, render, unmount }
}

interface UserProps<Value> {
  readonly hook: () => Value
  readonly renders: Value[]
}

function User<Value>({ hook, renders }: UserProps<Value>) {
  renders.push(hook())
  return null
}

/** Puts a component on the page that uses a hook, in StrictMode, which runs its effects twice. */
export async function mountHook<Value>(hook: () => Value) {
  const renders: Value[] = []
  const user = createElement(User<Value>, { hook, renders })
  const mounted = await mount(createElement(StrictMode, null, user))
  return { ...mounted, renders, get: () => renders.at(-1) as Value }
}
