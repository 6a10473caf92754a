import { expect, it } from 'vitest'
import { filterOf } from './view.ts'

it.each([
  { type: 'title_changed', windowUuid: 'a', without: true, withJobs: true },
  { type: 'title_changed', windowUuid: 'c', without: false, withJobs: false },
  { type: 'title_changed', windowUuid: null, without: false, withJobs: false },
  { type: 'tool_job', windowUuid: 'b', without: true, withJobs: true },
  { type: 'tool_job', windowUuid: 'c', without: false, withJobs: false },
  { type: 'tool_job', windowUuid: null, without: false, withJobs: true },
])('$type of $windowUuid: $without, with jobs $withJobs', ({ without, withJobs, ...heading }) => {
  const windows = ['b', 'a']
  expect(filterOf({ windows, jobs: false }).wants(heading)).toBe(without)
  expect(filterOf({ windows, jobs: true }).wants(heading)).toBe(withJobs)
})

it('has one key for all that want the same', () => {
  const keys = [
    { windows: ['a', 'b'], jobs: false },
    { windows: ['b', 'a', 'a'], jobs: false },
    { windows: ['a', 'b'], jobs: true },
    { windows: ['a'], jobs: false },
  ].map((query) => filterOf(query).key)
  expect(keys[0]).toBe(keys[1])
  expect(new Set(keys).size).toBe(3)
})
