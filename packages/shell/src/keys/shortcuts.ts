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

/** The name that the bridge has for a key. */
const nameOf = ({ keys }: Shortcut) => keys.replaceAll(' ', '').replace('Ctrl', 'Mod')

/** The keys that the page takes from an app that does not use them: none that somebody may want to type. */
export const appKeys: readonly string[] = shortcuts.filter(({ types }) => !types).map(nameOf)

/** Whether keys do anything now. */
function isListening(desk: Desk): boolean {
  const { signIn, dialog } = desk.store.get()
  return signIn.phase === 'in' && dialog === null
}

/**
 * Does what a key of the page does that was pressed in an app. Since an app can claim what it likes, the app must have the
 * keyboard, and its user must have pressed something a moment ago.
 */
export function pressInApp(desk: Desk, windowKey: string, name: string): void {
  const { activeElement } = document
  const isThere =
    activeElement?.tagName === 'IFRAME' &&
    activeElement.closest<HTMLElement>('[data-window]')?.dataset.window === windowKey
  if (!isThere || !isListening(desk) || navigator.userActivation?.isActive === false) return
  shortcuts.find((one) => nameOf(one) === name)?.act(desk)
}

/** Does what a key of the page does. */
export function pressShortcut(desk: Desk, event: KeyboardEvent): void {
  if (event.defaultPrevented || !isListening(desk)) return
  const shortcut = shortcuts.find((one) => one.isPressed(event))
  if (!shortcut || (shortcut.types && isField(event.target))) return
  event.preventDefault()
  shortcut.act(desk)
}
