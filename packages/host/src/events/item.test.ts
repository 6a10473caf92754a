import { expect, it } from 'vitest'
import { windowId } from '../testing/event-page.ts'
import { eventHeaderOf, itemOf, LOST } from './item.ts'

it.each([
  itemOf('title_changed', windowId(1), { revision: 1, title: '"window_uuid":"x" \n\n \u2028 \ud800' }),
  itemOf('close_view', windowId(2), { revision: 2, reason: null }),
  itemOf('tools.changed', windowId(3), {}),
  itemOf('tool_job', null, { job_id: 'j', tool_id: 't', state: 's', seq: 1, event: 'e', terminal: true }),
  LOST,
])('finds the heading of %s as a parser would', (item) => {
  const { type, window_uuid } = JSON.parse(item)
  const text = `{"type":"${type}","window_uuid":${JSON.stringify(window_uuid)}`
  expect(eventHeaderOf(item)).toEqual({ type, windowUuid: window_uuid, text })
  expect(item.startsWith(text)).toBe(true)
  expect(item).not.toMatch(/[\n\r]/)
})

it.each(['', '[]', '{"window_uuid":"x","type":"y"}', 'nonsense'])('finds none in %j', (item) => {
  expect(eventHeaderOf(item)).toBeNull()
})
