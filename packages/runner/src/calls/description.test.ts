import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { expect, it } from 'vitest'
import { parseDescription } from './description.ts'

it('keeps members that it does not know only of what is no larger than a manifest', () => {
  const parameters = [{ name: 'city', type: 'string', example: 'x' }]
  const tools = [{ name: 'a', hints: {}, parameters, input_schema: {} }]
  const of = (homepage: string) => parseDescription({ name: 'x', homepage, tools }, limits)
  expect(of('y')).toEqual({ name: 'x', homepage: 'y', tools })
  expect(of('y'.repeat(limits.MANIFEST_MAX_BYTES))).toEqual({
    name: 'x',
    tools: [{ name: 'a', parameters: [{ name: 'city', type: 'string' }], input_schema: {} }],
  })
})

verifies.each('text.tool_name')([
  ['a', true],
  ['Browser_open.page-2', true],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
  ['a b', false],
  ['a/b', false],
  ['line\nfeed', false],
  ['a\u001b]0;title\u0007', false],
  ['a\u202eb', false],
  ['天気', false],
])('a tool called %j: %s', (name, isTaken) => {
  const read = parseDescription({ name: 'x', tools: [{ name: 'other' }, { name }] }, limits)
  if (isTaken) expect(read).toMatchObject({ tools: [{ name: 'other' }, { name }] })
  else expect(read).toMatch(/^the name of a tool must be 1 to 128 characters out of .*, got "[^\p{C}]*"$/u)
})
