import { expect, it } from 'vitest'
import { type App, type DeskWindow, initialState } from '../state/state.ts'
import { atlas } from '../testing/app.ts'
import { commandsOf, findCommands } from './commands.ts'

const hello: App = {
  ...atlas,
  name: 'Hello',
  views: [{ name: 'card', title: 'Postcard' }, { name: 'main', default: true }, { name: 'plain' }],
}
const open = { key: 'k1', title: 'Notes', z: 1, minimised: false, maximised: false } as DeskWindow
const commands = commandsOf({ ...initialState, windows: [open] }, [hello])

it.each([
  ['', commands.length],
  ['hello', ['Open Postcard of Hello', 'Open Hello', 'Open plain of Hello']],
  ['HELLO post', ['Open Postcard of Hello']],
  ['notes', ['Go to Notes', 'Maximise Notes', 'Minimise Notes', 'Close Notes']],
  ['show', ['Show jobs', 'Show sessions', 'Show chat', 'Show notices']],
  ['nothing of the kind', []],
])('%j finds', (text, found) => {
  const labels = findCommands(commands, text).map(({ label }) => label)
  expect(typeof found === 'number' ? labels.length : labels).toEqual(found)
})

it('gives every command an id of its own', () => {
  expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length)
})

it('offers nothing for a window under Manage, and no sizes on a small screen', () => {
  const labelsOf = (state: object) =>
    commandsOf({ ...initialState, windows: [open], ...state }, []).map(({ id }) => id)
  expect(labelsOf({ manage: { ...initialState.manage, isOpen: true } })).not.toContain('close')
  expect(labelsOf({ small: true })).toContain('close')
  expect(labelsOf({ small: true })).not.toContain('maximise')
})
