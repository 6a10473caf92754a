import { limits } from '@svc/contract/limits'
import { expect, it } from 'vitest'
import { parseDescription } from './description.ts'

it('keeps members that it does not know only of what is no larger than a manifest', () => {
  const parameters = [{ name: 'city', type: 'string', example: 'x' }]
  const tools = [{ name: 'a', annotations: {}, parameters, input_schema: {} }]
  const of = (homepage: string) => parseDescription({ name: 'x', homepage, tools }, limits)
  expect(of('y')).toEqual({ name: 'x', homepage: 'y', tools })
  expect(of('y'.repeat(limits.MANIFEST_MAX_BYTES))).toEqual({
    name: 'x',
    tools: [{ name: 'a', parameters: [{ name: 'city', type: 'string' }], input_schema: {} }],
  })
})
