import { openTestHost, type TestHost, type TestHostOptions } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, expect } from 'vitest'

let services: TestHost | undefined
afterEach(() => services?.close())

/** A host of these options makes a runner of its own and closes it. */
const ownRunner = { runner: undefined } as unknown as TestHostOptions

verifies.each(['stdio.outcome.start', 'error.plug_unavailable'])([
  ['a program that is not there', ['no-such-program-anywhere']],
  ['a program that ends at once', ['false']],
] as const)('%s is plug_unavailable', async (_name, command) => {
  services = await openTestHost({
    ...ownRunner,
    plugins: [{ slug: 'alpha', command: [...command] as [string] }],
    manifest: { required_plugs: ['alpha'] },
  })
  await services.host.plugins.ready()
  const window = await services.openWindow()
  expect(await window.call('tools', 'invoke', { tool_id: 'alpha.echo' })).toMatchObject({
    error: { code: 'plug_unavailable' },
  })
  expect(await window.call('tools', 'list')).toMatchObject({ result: { tools: [] } })
})
