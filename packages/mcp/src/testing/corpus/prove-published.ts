import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { corpusScene } from './corpus-scene.ts'
import { askRegistry } from './installed.ts'
import type { ServerRow } from './server-row.ts'
import { fillFolder, placed, reachInTests, startMs, textIn, valuesOf } from './started.ts'

/** Of an install, and of a test that has two of them, on a busy machine. */
const PATIENT = { timeout: 300_000, interval: 500 }
const TEST = { timeout: 800_000 }

/** The tests of a row that somebody publishes, and that another user installs and gives what it needs. */
export function provePublished(row: ServerRow): void {
  const { name, version, bin, args, env, fails, call } = row
  const scene = corpusScene(async (work) => {
    fillFolder(work)
    await askRegistry(row)
    return { command: ['node', '--version'] }
  })
  const distribution = {
    type: 'npm',
    package_name: name,
    version,
    protocol: 'mcp',
    ...(bin && { executable_name: bin }),
    ...(args && { args }),
    ...(env && { env }),
    start_ms: startMs(row),
  }
  const reach = reachInTests(row)

  /** A request of a user, with the path behind `/api/v1/svc-apps`. */
  async function send(cookie: string, method: string, path: string, body: object) {
    const response = await scene.host.request(path, { method, cookie, body: JSON.stringify(body) })
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
    return { ok: response.ok, body: (await response.json()) as any }
  }
  const describe = (cookie: string) =>
    send(cookie, 'POST', '/plugs/my/describe', { distribution, reach, values: valuesOf(row, scene.work) })

  if (row.tools === 0)
    return void it('says what keeps it from listing its tools', TEST, async () => {
      const { ok, body } = await describe(await scene.host.signIn('ada'))
      expect(ok).toBe(false)
      expect(JSON.stringify(body)).toMatch(fails.says)
    })

  verifies('plug.distribution.needs', 'works for another user, who gives what it needs', TEST, async () => {
    const { host, work } = scene
    const ada = await host.signIn('ada')
    const described = await describe(ada)
    expect(described).toMatchObject({ ok: true })
    const { manifest } = described.body
    expect(manifest.tools).toHaveLength(row.tools - (row.tasks ?? []).length)
    const published = await send(ada, 'POST', '/plugs/my/tools', {
      name: name.slice(0, 40),
      type: 'tool',
      distribution,
      visibility: 'public',
      manifest: { ...manifest, reach },
    })
    expect(published).toMatchObject({ ok: true })
    const { tool_id } = published.body

    await host.pushDraft({ required_plugs: [tool_id] })
    const release = await send(ada, 'POST', `/api/v1/svc-apps/apps/${host.appId}/releases`, {
      version: '1.0.0',
    })
    expect(release).toMatchObject({ ok: true })
    const bob = await host.signIn('bob')
    const plugs = [{ tool_id, version: published.body.version }]
    await host.host.apps.install('bob', { app_id: host.appId, version: '1.0.0', grants: { plugs } })
    /** In a window of its own: the token of one that no page renews may expire before its plugin is installed. */
    const invoke = async ({ tool, args: given }: Pick<typeof fails, 'tool' | 'args'>) => {
      const window = await host.openWindow(undefined, undefined, bob)
      const placedArgs = placed(given, work)
      return window.call('tools', 'invoke', { tool_id, method: tool, args: placedArgs, timeoutMs: 60_000 })
    }

    const values = valuesOf(row, work)
    const [needed] = Object.keys(values)
    // What stands in an argument or a folder is needed; a variable may be left out.
    const isNeeded = JSON.stringify([args, reach]).includes(`\${${needed}}`)
    if (needed !== undefined && isNeeded) expect(textIn(await invoke(call ?? fails))).toContain(needed)
    const path = `/plugs/${tool_id}/variables`
    if (needed !== undefined) expect(await send(bob, 'PUT', path, { values })).toMatchObject({ ok: true })
    // A call waits for its install, but not for as long as one of a large package takes.
    const installed = async () => textIn(await invoke(call ?? fails))
    await expect.poll(installed, PATIENT).not.toMatch(/still being installed/)
    if (call) expect(textIn(await invoke(call))).toMatch(call.says)
    expect(JSON.stringify(await invoke(fails))).toMatch(fails.says)
  })
}
