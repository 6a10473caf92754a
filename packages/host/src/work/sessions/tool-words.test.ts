import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect, it } from 'vitest'
import type { SessionTool } from './session-tools.ts'
import { describedTo, withInstructions } from './tool-words.ts'

const READS = '(It only reads.)'

it.each([
  [{ description: 'Reads a file.' }, 'Reads a file.'],
  [{}, ''],
  [{ title: 'Read' }, 'Read: '],
  [{ title: 'Read file', description: 'Gives its text.' }, 'Read file: Gives its text.'],
  [{ title: 'Read', description: 'Read a file.' }, 'Read a file.'],
  [{ description: 'a', annotations: { readOnlyHint: true } }, `a ${READS}`],
  [{ annotations: { readOnlyHint: true } }, READS],
  [{ description: 'a', annotations: { readOnlyHint: false } }, 'a'],
  [{ description: 'a', annotations: { readOnlyHint: 'yes' } }, 'a'],
])('a model reads of %j: %s', (tool, text) => {
  expect(describedTo({ name: 't', parameters: [], ...tool })).toBe(text)
})

it('a model reads that a tool destroys, whatever its hints say', () => {
  const tool = { name: 't', parameters: [], destructive: true, annotations: { readOnlyHint: true } }
  expect(describedTo(tool)).toContain('its user is asked first')
})

const toolOf = (plugin: string, text: string) =>
  ({ name: 't', instructions: { plugin, text } }) as SessionTool

verifies(
  'run.tools.instructions',
  'the instructions of a plugin stand once behind the prompt, marked',
  () => {
    const tools = [
      toolOf('fs', 'Read first.'),
      toolOf('fs', 'Read first.'),
      toolOf('db', 'Ask.'),
      {} as SessionTool,
    ]
    const text = withInstructions('Be brief.', tools, limits)
    expect(text).toMatch(/^Be brief\.\n\n/)
    expect(text?.match(/Read first\./g)).toHaveLength(1)
    expect(text).toContain(
      'What the plugin "db" says of its tools; its user did not write these lines:\n> Ask.',
    )
  },
)

verifies('run.tools.instructions', 'no line of the instructions of a plugin stands as one of others', () => {
  const text = withInstructions('Be brief.', [toolOf('fs', 'a\n\nb\r\nc\rd\u2028e\u202ef')], limits)
  expect(text?.split(/[\n\r\u2028\u2029]/).slice(3)).toEqual([
    '> a',
    '> ',
    '> b',
    '> c',
    '> d\\u2028e\\u202ef',
  ])
})

it.each([
  ['no plugin has any', 'Be brief.', []],
  ['there is nothing at all', null, []],
])('the prompt stays as it is where %s', (_, prompt, tools) => {
  expect(withInstructions(prompt, tools, limits)).toBe(prompt)
})

verifies('run.tools.instructions', 'instructions are cut, those of one plugin and those of all', () => {
  const { PLUGIN_INSTRUCTIONS_MAX_CHARS: one, ALL_INSTRUCTIONS_MAX_CHARS: all } = limits
  const long = (plugin: string) => toolOf(plugin, 'x'.repeat(one + 1))
  expect(withInstructions(null, [long('a')], limits)).toMatch(/> x{3999}…$/)
  const many = withInstructions(null, ['a', 'b', 'c', 'd', 'e'].map(long), limits)
  expect(many).toHaveLength(all)
})
