import { expect, it } from 'vitest'
import { appKeys, type KeyPress, shortcuts } from './shortcuts.ts'

const press = (key: string, code = '', held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

it.each<[string, KeyPress, string[]]>([
  ['Ctrl + K', press('k', 'KeyK', { ctrlKey: true }), ['Ctrl + K']],
  ['Command + K', press('k', 'KeyK', { metaKey: true }), ['Ctrl + K']],
  ['k alone', press('k', 'KeyK'), []],
  ['?', press('?', 'Slash', { shiftKey: true }), ['?']],
  ['Ctrl + ?', press('?', 'Slash', { shiftKey: true, ctrlKey: true }), []],
  ['F6', press('F6', 'F6'), ['F6']],
  ['Shift + F6', press('F6', 'F6', { shiftKey: true }), ['Shift + F6']],
  ['Alt + M, where it types another letter', press('µ', 'KeyM', { altKey: true }), ['Alt + M']],
  ['AltGr + M', press('µ', 'KeyM', { altKey: true, ctrlKey: true }), []],
  ['m alone', press('m', 'KeyM'), []],
])('%s', (_, pressed, keys) => {
  expect(shortcuts.filter((one) => one.isPressed(pressed)).map((one) => one.keys)).toEqual(keys)
})

it('takes from apps what is no text', () => {
  expect(appKeys).toEqual(['Mod+K', 'F6', 'Shift+F6', 'Alt+M', 'Alt+N', 'Alt+W'])
})
