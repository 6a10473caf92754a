import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
} from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import type { RpcResponse } from '@svc/contract'
import { afterEach, describe, expect } from 'vitest'
import { readyRunner } from '../../testing/runners.ts'

let services: TestHost | undefined
afterEach(() => services?.close())

const COMMAND: [string, ...string[]] = ['never-started']
const plugins = ['alpha', 'beta', 'gamma'].map((slug) => ({ slug, command: COMMAND }))

async function open(options: TestHostOptions): Promise<TestWindow> {
  services = await openTestHost(options)
  return services.openWindow()
}

/** The code of an answer, or what a success answers. */
const said = (answer: RpcResponse) => (answer.ok ? answer.result : answer.error.code)

describe('manifest access', () => {
  verifies.each([
    'access.declared.method',
    'access.declared.star',
    'access.window.always',
    'rpc.order.access_before_handler',
    'decision.tools.admitted',
    'access.agent.object',
  ])([
    ['nothing declared', {}, 'window.heartbeat', {}, {}],
    ['nothing declared', {}, 'storage.list', {}, 'permission_denied'],
    // The denial comes before the arguments, which no handler would take either.
    ['nothing declared', {}, 'storage.set', { key: 7 }, 'permission_denied'],
    ['the method', { host_api: { storage: ['list'] } }, 'storage.list', {}, { items: [], next_cursor: null }],
    ['another method', { host_api: { storage: ['list'] } }, 'storage.get', { key: 'k' }, 'permission_denied'],
    ['a star', { host_api: { storage: ['*'] } }, 'storage.get', { key: 'k' }, 'not_found'],
    ['a star for another', { host_api: { chat: ['*'] } }, 'storage.get', { key: 'k' }, 'permission_denied'],
    ['no plug', {}, 'tools.list', {}, 'permission_denied'],
    ['an empty list of tools', { host_api: { tools: [] } }, 'tools.list', {}, { tools: [] }],
    ['an optional plug', { optional_plugs: ['nobody'] }, 'tools.list', {}, { tools: [] }],
    ['no submode', { host_api: { agent: {} } }, 'agent.session.list', {}, 'permission_denied'],
    [
      'the submode auto off',
      { host_api: { agent: { session: { auto: false, fixed: null } } } },
      'agent.session.list',
      {},
      'permission_denied',
    ],
    [
      'the submode auto',
      { host_api: { agent: { session: { auto: true } } } },
      'agent.session.list',
      {},
      { sessions: [] },
    ],
    [
      'the submode fixed',
      { host_api: { agent: { session: { fixed: { client_ids: [] } } } } },
      'agent.session.list',
      {},
      { sessions: [] },
    ],
  ] as const)('with %s declared (%j) %s %j is %j', async (_name, manifest, call, args, expected) => {
    const window = await open({ manifest: manifest as NonNullable<TestHostOptions['manifest']> })
    const [ns, ...method] = call.split('.')
    expect(said(await window.call(ns as string, method.join('.'), args))).toEqual(expected)
  })

  verifies('access.permissions.ignored', 'top-level permissions open nothing', async () => {
    const window = await open({ manifest: { schema: 2, permissions: ['storage', 'storage.list', '*'] } })
    expect(said(await window.call('storage', 'list'))).toBe('permission_denied')
  })

  verifies.each(['stub.artifact', 'stub.fs', 'stub.prefs', 'mobile.shell'])([
    ['artifact', 'create'],
    ['artifact', 'update'],
    ['artifact', 'delete'],
    ['fs', 'read'],
    ['fs', 'write'],
    ['prefs', 'get'],
    ['mobile', 'share'],
    ['mobile', 'vibrate'],
    ['mobile', 'scan_code'],
  ])('%s.%s is a stub', async (ns, method) => {
    const window = await open({ manifest: { host_api: { [ns]: ['*'] } } })
    expect(said(await window.call(ns, method))).toBe('not_implemented')
  })
})

describe('tools', () => {
  const tools = (answer: RpcResponse) =>
    answer.ok
      ? [...new Set((answer.result as { tools: { tool_id: string }[] }).tools.map((one) => one.tool_id))]
          .map((id) => id.split('-')[2])
          .sort()
      : answer.error.code

  verifies.each(['tools.list.filtered', 'access.tool.list_is_intersection'])([
    [{ required_plugs: ['alpha'], optional_plugs: ['beta'] }, ['alpha', 'beta']],
    [{ required_plugs: ['alpha'], optional_plugs: ['beta'], host_api: { tools: ['optional:*'] } }, ['beta']],
    [{ required_plugs: ['alpha', 'beta'], host_api: { tools: ['beta', 'gamma'] } }, ['beta']],
    [{ required_plugs: ['alpha'], host_api: { tools: [] } }, ['alpha']],
    [{ host_api: { tools: ['alpha'] } }, []],
  ] as const)('of %j those listed and those called are %j', async (manifest, expected) => {
    const window = await open({ plugins, runner: readyRunner('echo'), manifest: manifest as never })
    await services?.host.plugins.ready()
    expect(tools(await window.call('tools', 'list'))).toEqual(expected)
    for (const { slug } of plugins) {
      const answer = await window.call('tools', 'invoke', { tool_id: `${slug}.echo` })
      expect([slug, answer.ok ? 'ok' : answer.error.code]).toEqual([
        slug,
        (expected as readonly string[]).includes(slug) ? 'ok' : 'permission_denied',
      ])
    }
  })

  verifies.each(['error.agent_unavailable', 'decision.runner.none', 'tools.entry.status'])([
    ['a host without a runner', { plugins, runner: null }],
    ['a plugin that the host does not know', { runner: null }],
  ])('%s is agent_unavailable', async (_name, options) => {
    const window = await open({ ...options, manifest: { required_plugs: ['alpha'] } })
    const answer = await window.post(
      JSON.stringify({
        id: '1',
        window_uuid: window.windowUuid,
        ns: 'tools',
        method: 'invoke',
        args: { tool_id: 'alpha.echo' },
      }),
    )
    expect(answer.status).toBe(503)
    expect(answer.body).toMatchObject({
      ok: false,
      error: { code: 'agent_unavailable', details: { retriable: true, hint: expect.any(String) } },
    })
  })
})
