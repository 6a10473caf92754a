import { limits, wrongArg } from '@svc/contract'
import { expect, it } from 'vitest'
import { windowId } from '../testing/event-page.ts'
import { readEventsQuery } from './query.ts'

const [a, b] = [windowId(1), windowId(2)]
const read = (query: string, header?: string | null) =>
  readEventsQuery(new URL(`http://host/events${query}`), header, limits)

it.each([
  ['', undefined, { windows: [], jobs: false, lastEventId: null, streams: [], poll: false }],
  ['?windows=', '', { windows: [], jobs: false, lastEventId: null, streams: [], poll: false }],
  [`?windows=${a}`, null, { windows: [a], jobs: false, lastEventId: null, streams: [], poll: false }],
  [
    `?windows=${a},${b},${a},,&jobs=1&poll=1`,
    'x',
    { windows: [a, b], jobs: true, lastEventId: 'x', streams: [], poll: true },
  ],
  [
    `?windows=nobody,__proto__,${b}&jobs=0`,
    'x',
    { windows: [b], jobs: false, lastEventId: 'x', streams: [], poll: false },
  ],
  ['?after=x%2F%2B', undefined, { windows: [], jobs: false, lastEventId: 'x/+', streams: [], poll: false }],
  ['?after=x', '', { windows: [], jobs: false, lastEventId: 'x', streams: [], poll: false }],
  ['?after=old', 'new', { windows: [], jobs: false, lastEventId: 'new', streams: [], poll: false }],
])('reads %s with the header %s', (query, header, expected) => {
  expect(read(query, header)).toEqual(expected)
})

it.each([
  [
    `?windows=${Array.from({ length: 65 }, (_, n) => windowId(n)).join(',')}`,
    'windows',
    'must have at most 64 items, got 65',
  ],
  ['?jobs=yes', 'jobs', 'must be 0 or 1, got "yes"'],
  ['?poll=yes', 'poll', 'must be 0 or 1, got "yes"'],
  ['?jobs=', 'jobs', 'must be 0 or 1, got ""'],
])('refuses %s', (query, path, rule) => {
  expect(() => read(query)).toThrow(wrongArg(path, rule))
})
