import { expect, it } from 'vitest'
import { plugFileKeys } from '../../packages/cli/src/publish/plug-file.ts'
import { plugFileSchema } from './plug-file.ts'

it('the schema of svc.plug.json has the keys that the command reads', () => {
  const { properties, required } = plugFileSchema() as { properties: object; required: readonly string[] }
  expect(Object.keys(properties).sort()).toEqual([...plugFileKeys].sort())
  expect(required).toEqual(['name', 'type'])
})
