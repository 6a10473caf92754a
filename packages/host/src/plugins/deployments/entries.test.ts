import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { entriesOf } from './entries.ts'

const of = (tool: object) =>
  entriesOf({
    tool_id: 'tool-ada-weather-1',
    handle: 'weather',
    status: 'available',
    description: { name: 'Weather', tools: [{ name: 'forecast', parameters: [], ...tool }] },
  })

verifies(
  'tools.entry.output',
  'an entry has the schema of what its tool returns, where the plugin gives one',
  () => {
    const output_schema = { type: 'object', properties: { sky: { type: 'string' } } }
    expect(of({ output_schema })).toEqual([
      {
        tool_id: 'tool-ada-weather-1',
        plugin_name: 'Weather',
        tool_name: 'forecast',
        description: '',
        input_schema: {},
        output_schema,
        status: 'available',
      },
    ])
  },
)

it('has no such field where the plugin says nothing of it', () => {
  expect(of({}).map(Object.keys)).toEqual([
    ['tool_id', 'plugin_name', 'tool_name', 'description', 'input_schema', 'status'],
  ])
})
