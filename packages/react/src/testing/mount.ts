import { act, createElement, type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onTestFinished, vi } from 'vitest'

/** What is on the page. */
export interface Mounted {
  readonly text: () => string | null
  readonly unmount: () => Promise<void>
}

/** Puts something on the page. What is there after a test is unmounted. */
export async function mount(node: ReactNode): Promise<Mounted> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const place = document.body.appendChild(document.createElement('main'))
  const root = createRoot(place)
  await act(async () => root.render(node))
  const unmount = async () => {
    await act(async () => root.unmount())
    place.remove()
  }
  onTestFinished(unmount)
  return { text: () => place.textContent, unmount }
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
