import type { Manifest } from '@svc/contract'
import { expect, test } from 'vitest'
import { declaredIn } from './declared.ts'

const one = `tool-ada-one-${'0'.repeat(26)}`
const two = `tool-ada-two-${'1'.repeat(26)}`

test('an id means its plugin, whoever took it for a handle', () => {
  const plugs = [{ tool_id: one, handle: two }, two, { tool_id: two, handle: 'late' }]
  const { all, byName } = declaredIn({ required_plugs: plugs, optional_plugs: [] } as unknown as Manifest)
  expect(all.map(({ tool_id }) => tool_id)).toEqual([one, two])
  expect([...byName].map(([name, { tool_id }]) => [name, tool_id])).toEqual([
    [one, one],
    [two, two],
  ])
})
