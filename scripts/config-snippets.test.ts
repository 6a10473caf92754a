import { expect, it } from 'vitest'
import { configProblem } from '../packages/cli/src/host/serve-config.ts'
import { createHost, memoryBlobs, memoryBus, memoryStore, systemClock } from '../packages/host/src/index.ts'
import { configSnippets, given } from './testing/config-snippets.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** What only code has, which a config file would import. */
const ports = {
  store: memoryStore(),
  bus: memoryBus({ clock: systemClock }),
  blobs: memoryBlobs(),
  secret: 's'.repeat(32),
  openBlobs: async () => memoryBlobs(),
}

/** The object that a snippet is, with what its page takes for granted. */
const objectOf = (text: string): Promise<object> => {
  const body = `return (async () => { ${given}; return (${text}) })()`
  return new Function(...Object.keys(ports), body)(...Object.values(ports))
}

it('finds them in blocks, lines and commands', () => {
  expect(configSnippets.map(({ page }) => page)).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/guides/models.md',
      'docs/guides/operating.md',
      'docs/guides/plugins.md',
      'docs/guides/run-a-host.md',
      'docs/guides/runners.md',
      'packages/cli/README.md',
      'packages/state-sqlite/README.md',
    ]),
  )
})

it.each(configSnippets.filter(({ of }) => of === 'createHost'))(
  'a host starts as $page says: $text',
  async ({ text }) => {
    const options = await objectOf(text)
    const host = createHost({ logger: silent as never, ...options, runner: null, apps: [] })
    await host.apps.ready()
    await host.close()
  },
)

it.each(configSnippets.filter(({ of }) => of === 'svc serve'))(
  'svc serve takes what $page says: $text',
  async ({ text }) => {
    expect(configProblem(await objectOf(text))).toBeNull()
  },
)
