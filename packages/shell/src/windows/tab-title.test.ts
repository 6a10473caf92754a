import { expect, it } from 'vitest'
import { tabTitle } from './tab-title.ts'

const app = { slug: 'notes', name: 'Notes' }

it.each([
  ['Notes', 'App “Notes” · svc'],
  ['Report 2026', 'App “Notes”: “Report 2026” · svc'],
  ['Sign in again:', 'App “Notes”: “Sign in again:” · svc'],
  ['x” · svc: sign in again “', "App “Notes”: “x' · svc: sign in again '” · svc"],
  ['a"b«c»', "App “Notes”: “a'b'c'” · svc"],
])('the tab of a window with the title %j', (title, shown) => {
  expect(tabTitle({ title, app })).toBe(shown)
})
