import { expect, it } from 'vitest'
import { outputProblems } from './output-problems.ts'

const place = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
}

it.each([
  ['what it says', place, { city: 'Rome', days: 3 }, []],
  ['more than it says', place, { city: 'Rome', sky: 'clear' }, []],
  [
    'a wrong member',
    place,
    { city: 7, days: 1.5 },
    ['city must be a string, got 7', 'days must be an integer, got 1.5'],
  ],
  ['nothing', place, null, ['output must be an object, got null']],
  ['a list', { type: 'array', items: place }, [{}], ['0.city must be a string, got nothing']],
  ['a schema of itself', { type: 'array', items: { $ref: '#' } }, [[], [[]]], []],
  [
    'a member of a schema of itself',
    { type: 'array', items: { $ref: '#' } },
    [[7]],
    ['0.0 must be an array, got 7'],
  ],
  ['a schema of nothing', {}, 'x', []],
])('%s', (_, schema, output, problems) => {
  expect(outputProblems(schema, output)).toEqual({ problems })
})

it.each([
  ['a reference elsewhere', { $ref: 'https://site.org/a.json' }, 'External $ref'],
  ['a circle', { $ref: '#' }, 'Maximum call stack size exceeded'],
  ['a pattern that is none', { type: 'string', pattern: '(' }, 'Invalid regular expression'],
  ['a constant that is an object', { properties: { a: { const: {} } } }, 'constants'],
  ['values that are objects', { enum: [1, []] }, 'constants'],
  ['a property that is no schema', { type: 'object', properties: { a: 1 } }, ''],
])('does not use %s', (_, schema, why) => {
  expect(outputProblems(schema, {})).toEqual({ unchecked: expect.stringContaining(why) })
})

it('does not use a schema that is nested too deep', () => {
  let schema: object = {}
  for (let level = 0; level < 20_000; level++) schema = { items: schema }
  expect(outputProblems(schema as Record<string, unknown>, [])).toEqual({ unchecked: expect.any(String) })
})
