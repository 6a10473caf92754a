import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import type { KnownPlugin } from './plugins.ts'
import { openToldTools, type ToolsOwner } from './told-tools.ts'

const described = (...names: string[]) => ({
  name: 'p',
  tools: names.map((name) => ({ name, parameters: [] })),
})
const plugin = {
  tool_id: 'p',
  status: 'available',
  description: described('a'),
} as unknown as KnownPlugin
const said = (whose: Partial<ToolsOwner>) => ({
  pluginId: 'p',
  version: '1',
  ...whose,
  description: described('a', 'b'),
})
const own = { userId: 'ada', appId: 'app-1' }

verifies.each('plugin.tools_changed.apart')<
  [string, Partial<ToolsOwner>, boolean, ToolsOwner | undefined, boolean]
>([
  ['the same user and app', own, false, own, true],
  ['another app of the user', own, false, { ...own, appId: 'app-2' }, false],
  ['a page of the user', own, false, { ...own, appId: undefined }, false],
  ['another user', own, false, { ...own, userId: 'bob' }, false],
  ['everybody', own, false, undefined, false],
  ['all, where the process served nobody', {}, false, own, true],
  ['all apps of the one user of a harness', own, true, { ...own, appId: 'app-2' }, true],
])('tools that a process told are, or are not, those of %s', (_, whose, isOne, reader, isTold) => {
  const told = openToldTools({ max: 8, isOne })
  told.take(said(whose), plugin)
  expect(told.of(plugin, reader).description?.tools).toHaveLength(isTold ? 2 : 1)
})

verifies('plugin.tools_changed.apart', 'a change is of those alone whose list is another now', () => {
  const told = openToldTools({ max: 8, isOne: false })
  expect(told.take(said(own), plugin)).toEqual(own)
  expect(told.take(said(own), plugin)).toBe(null)
  expect(told.take(said({}), plugin)).toBe(undefined)
  told.forget('p')
  expect(told.of(plugin, own)).toBe(plugin)
})
