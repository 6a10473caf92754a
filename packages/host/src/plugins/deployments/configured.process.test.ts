import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processesWith } from '@svc/conformance/processes'
import { openTestHost, type TestHost, type TestHostOptions } from '@svc/conformance/testing/host'
import { ODD_PLUGIN } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, expect, onTestFinished, test } from 'vitest'

let services: TestHost | undefined
afterEach(() => services?.close())

/** A host of these options makes a runner of its own and closes it. */
const ownRunner = { runner: undefined } as unknown as TestHostOptions
const mark = randomUUID()
const env = { PLUGIN_MARK: mark }
const living = () => processesWith(`PLUGIN_MARK=${mark}`)
const PATIENT = { timeout: 10_000, interval: 20 }

async function invoke(tool_id: string) {
  const window = await services?.openWindow()
  const answer = await window?.call('tools', 'invoke', { tool_id })
  return answer?.ok ? 'ok' : answer?.error.code
}

const known = (name: string) => services?.host.plugins.find({ userId: 'ada', version: null }, name)

test('a plugin can be called while it is still being described', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-deploying-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const go = join(folder, 'go')
  const whenThere = 'until [ -e "$0" ]; do sleep 0.01; done; exec node "$1"'
  services = await openTestHost({
    ...ownRunner,
    plugins: [{ slug: 'odd', command: ['sh', '-c', whenThere, go, ODD_PLUGIN], env }],
    manifest: { required_plugs: ['odd'] },
  })
  expect((await known('odd'))?.status).toBe('deploying')
  const called = invoke('odd.echo')
  writeFileSync(go, '')
  expect(await called).toBe('ok')
  await services.host.plugins.ready()
  expect((await known('odd'))?.status).toBe('available')
})

verifies(
  ['tools.entry.status', 'error.plug_unavailable'],
  'a plugin that does not describe itself is unavailable',
  async () => {
    services = await openTestHost({
      ...ownRunner,
      limits: { DESCRIBE_TIMEOUT_MS: 300 },
      plugins: [{ slug: 'mute', command: ['sleep', '1000'], env }],
      manifest: { required_plugs: ['mute'] },
    })
    await services.host.plugins.ready()
    expect(await known('mute')).toMatchObject({
      status: 'unavailable',
      problem: expect.any(String),
    })
    expect(await invoke('mute.any')).toBe('plug_unavailable')
    await expect.poll(living, PATIENT).toEqual([])
  },
)

verifies(['host.close'], 'a host closed while it describes leaves no process', async () => {
  services = await openTestHost({
    ...ownRunner,
    plugins: [
      { slug: 'mute', command: ['sleep', '1000'], env },
      { slug: 'parent', command: ['sh', '-c', 'setsid sleep 1000 & sleep 1000'], env },
    ],
  })
  await expect.poll(() => living().length, PATIENT).toBeGreaterThan(2)
  const started = performance.now()
  await services.close()
  expect(performance.now() - started).toBeLessThan(2_000)
  await expect.poll(living, PATIENT).toEqual([])
})

verifies.each(['wall.runner.named', 'error.agent_unavailable'])([
  ['/bin/sh'],
  ['sh'],
  ['../odd'],
  ['node'],
  ['__proto__'],
])('a manifest that names %j starts nothing', async (name) => {
  services = await openTestHost({
    ...ownRunner,
    plugins: [{ slug: 'odd', command: ['node', ODD_PLUGIN], env }],
    manifest: { required_plugs: [name], optional_plugs: [{ handle: 'other', tool_id: name }] },
  })
  await services.host.plugins.ready()
  // That of the plugin, which was asked what it is.
  const before = living()
  const window = await services.openWindow()
  const answer = await window.call('tools', 'invoke', { tool_id: name, method: 'x' })
  expect(answer).toMatchObject({ ok: false, error: { code: 'agent_unavailable' } })
  expect(living()).toEqual(before)
})

test.each([
  [[{ slug: 'Upper', command: ['x'] }], /slug must be lower-case/],
  [[{ slug: '', command: ['x'] }], /slug must be lower-case/],
  [[{ slug: 'a', command: [] }], /command must be a list of program and arguments/],
  [
    [{ slug: 'a', command: ['x'], protocol: 'MCP' }],
    /protocol must be "svc" or "mcp", got "MCP"; did you mean `mcp`/,
  ],
  [
    [
      { slug: 'a', command: ['x'] },
      { slug: 'a', command: ['y'] },
    ],
    /"a" is listed twice/,
  ],
])('the configuration %j is refused', async (plugins, sentence) => {
  await expect(openTestHost({ plugins: plugins as never })).rejects.toThrow(sentence)
})

test('another list of plugins takes the place of the one before', async () => {
  const odd = { slug: 'odd', command: ['node', ODD_PLUGIN] as const, env }
  const gone = { ...odd, slug: 'gone' }
  services = await openTestHost({
    ...ownRunner,
    plugins: [odd, gone],
    manifest: { required_plugs: ['odd', 'gone', 'new'] },
  })
  const { plugins } = services.host
  await plugins.ready()
  const before = await known('odd')
  expect(await invoke('new.echo')).toBe('agent_unavailable')

  plugins.configure([odd, { ...odd, slug: 'new' }])
  await plugins.ready()
  const all = await plugins.of({ userId: 'ada', version: null })
  expect(all.map(({ handle, status }) => [handle, status])).toEqual([
    ['odd', 'available'],
    ['new', 'available'],
  ])
  expect(await known('odd')).toBe(before)
  expect([await invoke('odd.echo'), await invoke('new.echo'), await invoke('gone.echo')]).toEqual([
    'ok',
    'ok',
    'agent_unavailable',
  ])

  plugins.configure([{ ...odd, env: { ...env, OTHER: '1' } }])
  await plugins.ready()
  expect((await known('odd'))?.spec).toMatchObject({ env: { OTHER: '1' } })
  expect(() => plugins.configure([odd, odd])).toThrow('the slug "odd" is listed twice')
  expect(await known('odd')).toBeDefined()
})
