import { verifies } from '@svc/conformance/verifies'
import { systemClock } from '@svc/node'
import { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createHost } from './create-host.ts'
import { devModel } from './models/providers/dev-model.ts'
import type { HostOptions } from './settings.ts'

/** Starts a host that listens, and returns what it says of itself and the lines of its log. */
async function started(options: HostOptions) {
  const lines: { readonly level: number; readonly msg: string }[] = []
  const logger = pino({ level: 'debug' }, { write: (text: string) => void lines.push(JSON.parse(text)) })
  const host = createHost({ runner: null, logger, ...options })
  onTestFinished(() => host.close())
  const { url } = await host.listen(0)
  return { facts: host.facts, lines, url }
}

verifies('host.config.facts', 'a host says once what it serves, keeps and lacks, and where', async () => {
  const { facts, lines, url } = await started({ basePath: '/svc', models: null, signIn: 'dev' })
  expect(facts).toMatchObject({
    apps: 'none',
    tools: 'none',
    state: 'in memory: gone with the process',
    sign_in: 'by name, for whoever has the start token',
    runner: 'none: tools run on machines that users enrol',
    models: 'none',
    base_path: '/svc',
  })
  expect(facts.lacks).toContain('llm.complete')
  expect(facts.lacks).toContain('web.search')
  const told = lines.filter(({ level }) => level === 30).map(({ msg }) => msg)
  expect(told).toEqual([
    `svc host: apps: none; tools: none; state: in memory: gone with the process; sign in: by name, for whoever has the start token; runner: none: tools run on machines that users enrol; models: none; base path: /svc; lacks: ${facts.lacks}`,
    `svc host listens at ${url}`,
  ])
})

it('a harness leaves it to its command', async () => {
  const { lines } = await started({ harness: true })
  expect(lines.filter(({ level }) => level >= 30)).toEqual([])
})

it.each<[HostOptions, object]>([
  [{}, { sign_in: 'none: nobody can sign in', base_path: '/' }],
  [{ authenticate: () => null }, { sign_in: 'by authenticate' }],
  [{ models: { default: { model: devModel() } } }, { models: 'the development model, which only repeats' }],
  [
    { models: { default: { model: { ...devModel(), modelId: 'big-1' } } }, webSearch: async () => [] },
    { models: 'default (big-1)' },
  ],
  [
    { store: memoryStore(), blobs: memoryBlobs(), secret: 's'.repeat(32) },
    { state: 'in the store, blobs that createHost was given; bus in memory: gone with the process' },
  ],
  [
    {
      store: { ...memoryStore(), place: 'in two servers' },
      bus: memoryBus({ clock: systemClock }),
      blobs: memoryBlobs(),
      secret: 's'.repeat(32),
    },
    { state: 'in two servers' },
  ],
  [
    { blobs: memoryBlobs() },
    {
      state:
        'in the blobs that createHost was given; store and bus in memory: gone with the process; tokens end with the process',
    },
  ],
])('of %o it says %o', async (options, wanted) => {
  expect((await started(options)).facts).toMatchObject(wanted)
})
