import { expect, it } from 'vitest'
import { type DeskState, type DeskWindow, initialState } from '../state/state.ts'
import { shownSheet } from './screen-bar.tsx'

const windowWith = (minimised: boolean) => ({ key: 'k1', z: 1, minimised }) as DeskWindow

it.each<[string, Partial<DeskState>, string | null]>([
  ['a large screen', { small: false, sheet: 'apps' }, null],
  ['a small screen without a window', {}, 'apps'],
  ['a small screen whose windows are minimised', { windows: [windowWith(true)] }, 'apps'],
  ['a small screen with a window', { windows: [windowWith(false)] }, null],
  ['a user who asked for the windows', { windows: [windowWith(false)], sheet: 'windows' }, 'windows'],
])('%s', (_, state, shown) => {
  expect(shownSheet({ ...initialState, small: true, ...state })).toBe(shown)
})
