import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createHost, memoryBlobs, memoryBus, memoryStore, systemClock } from '@svc/host'
import { createRunner } from '@svc/runner'
import { openFolder } from '@svc/state-sqlite'
import { pino } from 'pino'
import { buildPlugin } from '../lib/build-plugin.ts'
import { filesBelow, processCensus } from './census.ts'
import { countedPorts } from './counted.ts'
import { soakLimits } from './limits.ts'

/**
 * The host of a soak. Arguments: a folder, and `memory` or `folder`, where it keeps its state. It sends its port and start
 * token, answers each message with what it holds, and closes on SIGTERM.
 */
const [, , folder = '.', state = 'memory'] = process.argv
const MANY = 1_000_000_000

const temporary = join(folder, 'tmp')
const data = join(folder, 'data')
await mkdir(temporary, { recursive: true })
process.env.TMPDIR = temporary

const kept = state === 'folder' ? await openFolder(data) : null
const ports = countedPorts(
  kept ?? {
    store: memoryStore(),
    bus: memoryBus({ clock: systemClock }),
    blobs: memoryBlobs(),
  },
  systemClock,
)
const { store, bus, blobs, clock } = ports
const limits = { ...soakLimits }
const runner = createRunner({ clock, limits })
const host = createHost({
  harness: true,
  secret: kept?.secret ?? 's'.repeat(32),
  store,
  bus,
  blobs,
  clock,
  runner,
  limits,
  plugins: [{ slug: 'soak', command: [process.execPath, await buildPlugin(folder, '../soak/plugin.ts')] }],
  quotas: { runs_per_day: MANY, completions_per_day: MANY, tokens_per_day: MANY, images_per_day: MANY },
  logger: pino({ level: 'silent' }),
})
await host.plugins.ready()
const { port } = await host.listen(0)

process.on('message', async () => {
  const [counts, own, files, left] = await Promise.all([
    ports.counts(),
    processCensus(),
    filesBelow(data),
    filesBelow(temporary),
  ])
  process.send?.({
    ...own,
    ...counts,
    'files data': files.files,
    'bytes data': files.bytes,
    'files tmp': left.files,
  })
})
process.send?.({ port, startToken: host.startToken })
process.on('SIGTERM', async () => {
  await host.close()
  await runner.close()
  await kept?.close()
  process.exit()
})
