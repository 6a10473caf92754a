import { idMaker, type Limits, limits } from '@svc/contract'
import { type FrozenClock, frozenClock } from '@svc/node/testing'
import { memoryStore, type Store } from '@svc/state'
import { pino } from 'pino'
import { openCopies } from '../catalog/copies.ts'
import type { Services } from '../edge/services.ts'
import { openToolSessions } from '../machines/tool-sessions.ts'
import { openPublished } from '../plugins/deployments/published.ts'
import { openPublishing } from '../plugins/publishing/publishing.ts'
import { publishingTwin } from '../twins.ts'
import { handRunners } from './runners.ts'

/** What a test may bring: the same store and clock make two hosts of one deployment. */
interface Options {
  readonly clock?: FrozenClock
  readonly store?: Store
  readonly limits?: Partial<Limits>
  /** The first byte of every id, so that two hosts never draw the same. */
  readonly host?: number
}

/** Opens publishing over memory and a frozen clock. */
export function publishingBed({
  clock = frozenClock(),
  store = memoryStore(),
  host = 1,
  ...options
}: Options = {}) {
  let drawn = 0
  const newId = idMaker((count) => {
    drawn += 1
    return Uint8Array.from({ length: count }, (_, at) =>
      at === 0 ? host : at < 5 ? drawn >> (5 * (at - 1)) : 7,
    )
  })
  const log = pino({ level: 'silent' })
  const settings = { allowLoopback: [] } as unknown as Services['settings']
  const table = { ...limits, ...options.limits }
  const copies = openCopies(store, clock, table)
  const runners = handRunners()
  const events = { emit() {} } as unknown as Services['events']
  const toolSessions = openToolSessions({ underWay: { onCut() {} } })
  const published = openPublished({ toolSessions, clock, limits: table, log, store, copies, events, runners })
  const publishing = openPublishing({
    clock,
    store,
    newId,
    settings,
    limits: table,
    copies,
    // Nothing is configured.
    plugins: { of: async () => [] },
    published,
    runners,
  })
  return { clock, store, publishing: publishingTwin(publishing), runners }
}

/** A manifest with one tool, described as told. */
export const weather = (description = 'The weather.', version?: string) => ({
  name: 'weather',
  ...(version !== undefined && { version }),
  tools: [{ name: 'forecast', description, parameters: [{ name: 'city', type: 'string' }] }],
})
/** Where it comes from. */
export const npm = { type: 'npm', package_name: 'weather-plugin', version: '1.0.0' } as const
/** A body that commits a tool. */
export const tool = { manifest: weather(), distribution: npm }
/** A body that commits a skill. */
export const skill = { manifest: { name: 'haiku', tools: [] }, readme: 'Write haiku.' }
/** A body that mints. */
export const named = { name: 'Weather', type: 'tool' } as const
