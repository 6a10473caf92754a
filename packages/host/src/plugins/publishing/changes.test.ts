import { expect, it } from 'vitest'
import { changesOf } from './changes.ts'

const none = { added: [], removed: [], changed: [], truncated: false }
const at = (description: string, name = 'a') => ({ name, description })

it.each([
  ['equal values', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, {}],
  ['names in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, {}],
  ['a name more', {}, { a: { b: 1 } }, { added: ['a'] }],
  ['a name less', { a: 1 }, {}, { removed: ['a'] }],
  ['a name without a value', { a: undefined }, {}, {}],
  ['another value', { a: { b: 1 } }, { a: { b: 2 } }, { changed: ['a.b'] }],
  ['another kind of value', { a: [] }, { a: {} }, { changed: ['a'] }],
  ['null for a value', { a: 1 }, { a: null }, { changed: ['a'] }],
  [
    'named items',
    { t: [at('x')] },
    { t: [at('y'), at('z', 'b')] },
    { added: ['t.b'], changed: ['t.a.description'] },
  ],
  [
    'named items in another order',
    { t: [at('x'), at('y', 'b')] },
    { t: [at('y', 'b'), at('x')] },
    { changed: ['t'] },
  ],
  ['two items of one name', { t: [at('x'), at('y')] }, { t: [at('x'), at('z')] }, { changed: ['t'] }],
  ['items without a name', { t: [1, 2] }, { t: [1, 3, 4] }, { added: ['t.[2]'], changed: ['t.[1]'] }],
  [
    'a name of every object',
    { constructor: 1 },
    { ['__proto__']: 1 },
    { added: ['__proto__'], removed: ['constructor'] },
  ],
])('%s', (_, before, after, told) => expect(changesOf(before, after, 9)).toEqual({ ...none, ...told }))

it('tells so many places, and that there are more', () =>
  expect(changesOf({}, { a: 1, b: 1, c: 1 }, 2)).toEqual({ ...none, added: ['a', 'b'], truncated: true }))
