import type { Desk } from '../desk/desk.ts'
import { frontOf } from '../geometry/z-order.ts'
import { goToArea } from './areas.ts'

/** The parts of a key press that a shortcut reads. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** A key of the page: what it is called, what it does, and how it differs from others. */
export interface Shortcut {
  readonly keys: string
  readonly does: string
  /** It is a character that somebody may want to type. */
  readonly types?: true
  isPressed(press: KeyPress): boolean
  act(desk: Desk): void
}

const isPlain = ({ ctrlKey, metaKey, altKey }: KeyPress) => !ctrlKey && !metaKey && !altKey
const withAlt = (code: string) => (press: KeyPress) =>
  press.altKey && !press.ctrlKey && !press.metaKey && press.code === code

/** Does something with the window in front, where there is one and nothing lies over it. */
function withFront(desk: Desk, act: (key: string) => void): void {
  const { windows, manage } = desk.store.get()
  const front = frontOf(windows)
  if (front && !manage.isOpen) act(front.key)
}

/** Every key of the page. A new shortcut is a new row. */
export const shortcuts: readonly Shortcut[] = [
  {
    keys: 'Ctrl + K',
    does: 'Find an app, a window or a command',
    isPressed: ({ key, ctrlKey, metaKey, altKey, shiftKey }) =>
      key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey,
    act: (desk) => desk.showDialog('find'),
  },
  {
    keys: '?',
    does: 'Show these shortcuts',
    types: true,
    isPressed: (press) => press.key === '?' && isPlain(press),
    act: (desk) => desk.showDialog('keys'),
  },
  {
    keys: 'F6',
    does: 'Go to the next part of the page',
    isPressed: (press) => press.key === 'F6' && !press.shiftKey && isPlain(press),
    act: () => goToArea(1),
  },
  {
    keys: 'Shift + F6',
    does: 'Go to the previous part of the page',
    isPressed: (press) => press.key === 'F6' && press.shiftKey && isPlain(press),
    act: () => goToArea(-1),
  },
  {
    keys: 'Alt + M',
    does: 'Maximise or restore the window in front',
    isPressed: withAlt('KeyM'),
    act: (desk) => withFront(desk, (key) => desk.toggleMaximised(key)),
  },
  {
    keys: 'Alt + N',
    does: 'Minimise the window in front',
    isPressed: withAlt('KeyN'),
    act: (desk) => withFront(desk, (key) => desk.minimise(key)),
  },
  {
    keys: 'Alt + W',
    does: 'Close the window in front',
    isPressed: withAlt('KeyW'),
    act: (desk) => withFront(desk, (key) => desk.close(key)),
  },
]

/** What keys and clicks do on the title of a window. */
export const titleKeys: readonly Pick<Shortcut, 'keys' | 'does'>[] = [
  { keys: 'Arrow keys', does: 'Move the window' },
  { keys: 'Shift + arrow keys', does: 'Resize the window' },
  { keys: 'Alt + arrow keys', does: 'Move it in small steps; with Shift, resize it' },
  { keys: 'Enter', does: 'Go into the app' },
  { keys: 'Double click', does: 'Maximise or restore the window' },
]

/** Whether somebody types text there. */
const isField = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

/** Does what a key of the page does. While an app has the keyboard the page gets none of them. */
export function pressShortcut(desk: Desk, event: KeyboardEvent): void {
  const { signIn, dialog } = desk.store.get()
  if (event.defaultPrevented || signIn.phase !== 'in' || dialog !== null) return
  const shortcut = shortcuts.find((one) => one.isPressed(event))
  if (!shortcut || (shortcut.types && isField(event.target))) return
  event.preventDefault()
  shortcut.act(desk)
}
