import type { SvcWindowElement } from '@svc/bridge/element'
import { verifies } from '@svc/conformance/verifies'
import { type CSSProperties, createElement, createRef, type ReactNode, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { SvcWindow, type SvcWindowProps } from './svc-window.ts'
import { mount } from './testing/mount.ts'

const errors = vi.spyOn(console, 'error')
afterEach(() => {
  expect(errors.mock.calls).toEqual([])
  errors.mockClear()
})

/** Without an app and a window it opens nothing. */
const window = (props: object): ReactNode => createElement(StrictMode, null, createElement(SvcWindow, props))
const elementIn = (place: Element) => place.querySelector('svc-window') as SvcWindowElement
/** A server writes a style with fewer spaces. */
const attributeOf = (element: SvcWindowElement, name: string) =>
  name === 'style' ? element.style.cssText : element.getAttribute(name)
const style: CSSProperties = { width: 640, position: 'relative' }

type Row = [
  props: SvcWindowProps & Readonly<Record<string, unknown>>,
  attributes: Record<string, string | null>,
]

verifies.each('bindings.attributes')<Row>([
  [{ className: 'win wide' }, { class: 'win wide', classname: null }],
  [{ className: undefined }, { class: null }],
  [{ style }, { style: 'width: 640px; position: relative;' }],
  [
    { id: 'notes', title: 'Notes', lang: 'en' },
    { id: 'notes', title: 'Notes', lang: 'en' },
  ],
  [
    { tabIndex: 0, role: 'region' },
    { tabindex: '0', role: 'region' },
  ],
  [
    { 'aria-label': 'Notes', 'aria-expanded': false },
    { 'aria-label': 'Notes', 'aria-expanded': 'false' },
  ],
  [
    { 'data-app': 7, 'data-open': true },
    { 'data-app': '7', 'data-open': 'true' },
  ],
  [{ hidden: true }, { hidden: 'true' }],
  [{ hidden: false }, { hidden: null }],
  [{ translate: 'no' }, { translate: 'no' }],
])('a server and a page write %j as %j', async (props, attributes) => {
  const markup = renderToString(window(props))
  const server = document.createElement('div')
  server.innerHTML = markup
  const hydrated = await mount(window(props), markup)
  const made = await mount(window(props))
  const read = (place: Element) =>
    Object.keys(attributes).map((name) => [name, attributeOf(elementIn(place), name)])
  for (const place of [server, hydrated.place, made.place])
    expect(Object.fromEntries(read(place)), place.innerHTML).toEqual(attributes)
  await made.render(window({}))
  const left = Object.keys(attributes).filter((name) => attributeOf(elementIn(made.place), name) !== null)
  expect(left.filter((name) => name !== 'style')).toEqual([])
})

verifies('bindings.attributes', 'handlers of every element hear its events', async () => {
  const heard: string[] = []
  const note = ({ type, currentTarget }: { type: string; currentTarget: SvcWindowElement }) =>
    heard.push(`${type} ${currentTarget.localName}`)
  const { place } = await mount(window({ onClick: note, onKeyDown: note, onFocus: note }))
  const element = elementIn(place)
  element.click()
  element.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
  element.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  expect(heard).toEqual(['click svc-window', 'keydown svc-window', 'focus svc-window'])
})

verifies('bindings.attributes', 'a ref has the element, its methods too, through all renders', async () => {
  const object = createRef<SvcWindowElement>()
  const first = await mount(createElement(SvcWindow, { ref: object, className: 'a' }))
  expect(object.current).toBe(elementIn(first.place))
  expect([object.current?.reload(), object.current?.window]).toEqual([undefined, undefined])

  const heard: (string | undefined)[] = []
  const ref = (element: SvcWindowElement | null) => void heard.push(element?.localName)
  const second = await mount(createElement(SvcWindow, { ref, className: 'a' }))
  await second.render(createElement(SvcWindow, { ref, className: 'b', onTitle: () => {} }))
  expect(heard).toEqual(['svc-window'])
  await first.unmount()
  await second.unmount()
  expect([object.current, heard]).toEqual([null, ['svc-window', undefined]])
})

it('leaves out what would take the place of the iframe', async () => {
  const { text } = await mount(window({ children: 'words' }))
  expect(text()).toBe('')
})
