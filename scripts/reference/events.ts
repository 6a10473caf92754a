import { type EventRow, events } from '../../packages/contract/src/index.ts'
import { readInterface } from './interfaces.ts'
import { code, table } from './table.ts'

const SOURCE = 'packages/contract/src/wire/events.ts'
const listeners = { bundle: 'page and bundle', page: 'page' } as const

/** Every event of the event stream. */
export function eventsPage(): string {
  const shapes = readInterface(SOURCE, 'EventPayloads').members
  const rows = Object.entries<EventRow>(events).map(([name, row]) => [
    code(name),
    listeners[row.to],
    code(shapes.get(name) ?? '{}'),
    row.doc,
  ])
  const geometry = [...readInterface(SOURCE, 'Geometry').members]
    .map(([name, type]) => `${name}: ${type}`)
    .join(', ')
  return `# Events

One event is flat JSON, \`{type, window_uuid, …}\` with the fields below. The page hears every event of its windows; a
bundle hears those of its own window that are marked so. \`Geometry\` is \`{${geometry}}\`.

${table(['Type', 'Heard by', 'Fields', 'When'], rows)}`
}
