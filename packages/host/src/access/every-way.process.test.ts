import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { type CallInput, connectRunner, type RemoteRunner, type Runner } from '@svc/runner'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { answered, testRunner } from '../testing/jobs-runner.ts'

const TOOL = { name: 'all', description: 'Does all.', parameters: [] }
/** What any process was made to do. */
const done: string[] = []
/** What a plugin waits for within its call, before it asks. */
let meanwhile: () => Promise<unknown> = async () => {}
/** What the plugin `asking` was told last. */
let told = ''

/** Makes a session with a tool of the plugin that `args` name, as a plugin asks for one within its call. */
async function ask({ args, subcalls }: CallInput): Promise<void> {
  await meanwhile()
  const order = { kind: 'agent', agent_submode: args?.submode, fixed_client_id: args?.id }
  const reply = await subcalls?.onRequest('agent/session.create', order, new AbortController().signal)
  if (!reply) throw new Error('the call has no token to ask with')
  if ('error' in reply) told = (reply.error.data as { name: string }).name
  else {
    const { granted_tools } = reply.result as { granted_tools: readonly string[] }
    told = hasTool(granted_tools, String(args?.id))
  }
}

const runner = (): Runner => ({
  ...testRunner(),
  async describe({ id }) {
    const host_capabilities = ['llm.agent.auto', 'llm.agent.fixed'] as const
    return { ok: true, description: { name: id, tools: [TOOL], host_capabilities } }
  },
  async call(input) {
    if (input.plugin.id === ids.asking) await ask(input)
    else done.push(input.plugin.id)
    return answered({})
  },
  async job({ plugin }) {
    done.push(plugin.id)
    return answered({})
  },
})

let services: TestHost
let machine: RemoteRunner
/** The plugins that the table names, by the id that a call may give. */
const ids: Record<string, string> = { nobody: 'tool-bob-none-0000000000000000000000000' }

beforeAll(async () => {
  const plugins = [
    { slug: 'vault', command: ['vault'] },
    { slug: 'files', command: ['files'], protocol: 'mcp' },
    { slug: 'asking', command: ['asking'] },
  ] as const
  services = await openTestHost({ runner: runner(), plugins })
  const { host } = services
  await services.signIn('bob')
  const publish = async (user: string, visibility: 'private' | 'public') =>
    (
      await host.publishing.create(user, {
        name: 'Stats',
        type: 'tool',
        visibility,
        manifest: { name: 'stats', tools: [TOOL] },
        distribution: { type: 'npm', package_name: 'stats', version: '1.0.0' },
      })
    ).tool_id
  await host.plugins.ready()
  for (const { tool_id, handle } of await host.plugins.of({ userId: 'ada', version: null }))
    ids[{ vault: 'operator', files: 'mcp' }[handle] ?? handle] = tool_id
  ids.own = await publish('ada', 'private')
  ids.hidden = await publish('bob', 'private')
  ids.public = await publish('bob', 'public')
  const { token } = await host.runners.enrol('ada', { name: 'A laptop' })
  const { port } = await host.listen(0)
  machine = connectRunner({
    url: `http://127.0.0.1:${port}`,
    token,
    log: pino({ level: 'silent' }),
    stateDir: null,
    runner: { ...runner(), departed: async () => {} },
    allow: () => true,
  })
  await vi.waitUntil(() => host.runners.online('ada').length > 0, { timeout: 20_000 })
})
afterAll(async () => {
  await machine.close()
  await services.close()
})

const codeOf = async (calling: ReturnType<TestWindow['call']>) => {
  const answer = await calling
  return answer.ok ? 'ok' : answer.error.code
}
const hasTool = (names: unknown, id: string) =>
  (names as readonly string[]).includes(`${id}__all`) ? 'ok' : 'none'

/** Every way of an app to a tool: what it comes to. */
const ways = {
  async list(window: TestWindow, id: string) {
    const answer = await window.call('tools', 'list')
    if (!answer.ok) return answer.error.code
    const tools = answer.result.tools as { tool_id: string; status: string }[]
    const status = tools.find(({ tool_id }) => tool_id === id)?.status ?? 'none'
    return status === 'available' ? 'ok' : status
  },
  invoke: (window: TestWindow, id: string) =>
    codeOf(window.call('tools', 'invoke', { tool_id: id, method: 'all' })),
  job: (window: TestWindow, id: string) =>
    codeOf(window.call('tools', 'invokeAsync', { tool_id: id, method: 'all' })),
  async auto(window: TestWindow, id: string) {
    const answer = await window.call('agent', 'session.create', { submode: 'auto' })
    return answer.ok ? hasTool(answer.result.granted_tools, id) : answer.error.code
  },
  async fixed(window: TestWindow, id: string) {
    const args = { submode: 'fixed', fixed_client_id: id }
    const answer = await window.call('agent', 'session.create', args)
    return answer.ok ? hasTool(answer.result.granted_tools, id) : answer.error.code
  },
  asked_auto: (window: TestWindow, id: string) => asking(window, { submode: 'auto', id }),
  asked_fixed: (window: TestWindow, id: string) => asking(window, { submode: 'fixed', id }),
} as const

/** Has the plugin `asking` ask; what it was told, or why it was not called. */
async function asking(window: TestWindow, args: object): Promise<string> {
  const code = await codeOf(window.call('tools', 'invoke', { tool_id: ids.asking, method: 'all', args }))
  return code === 'ok' ? told : code
}
const names = Object.keys(ways) as (keyof typeof ways)[]

const agent = { session: { auto: true, fixed: { client_ids: [] } } }
const denied = 'permission_denied'
const away = 'agent_unavailable'

/** Written by hand: which plugin, what the manifest says, and what each of `ways` comes to. */
verifies.each(['access.tool.fixed', 'access.tool.every_way', 'tools.list.filtered'])([
  ['operator', 'declared', ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok']],
  ['operator', 'not declared', ['none', denied, denied, 'none', denied, 'none', denied]],
  ['operator', 'not in host_api.tools', ['none', denied, denied, 'none', denied, 'none', denied]],
  ['operator', 'named as fixed client alone', ['none', denied, denied, 'none', denied, 'none', denied]],
  ['operator', 'declared without agent', ['ok', 'ok', 'ok', denied, denied, denied, denied]],
  ['operator', 'another fixed client', ['ok', 'ok', 'ok', 'ok', denied, 'ok', denied]],
  ['mcp', 'declared', ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok']],
  ['mcp', 'not declared', ['none', denied, denied, 'none', denied, 'none', denied]],
  ['mcp', 'not in host_api.tools', ['none', denied, denied, 'none', denied, 'none', denied]],
  ['mcp', 'named as fixed client alone', ['none', denied, denied, 'none', denied, 'none', denied]],
  ['mcp', 'declared without agent', ['ok', 'ok', 'ok', denied, denied, denied, denied]],
  ['mcp', 'another fixed client', ['ok', 'ok', 'ok', 'ok', denied, 'ok', denied]],
  ['own', 'declared', ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok']],
  // The submode fixed with an empty list names every plugin of the user's own.
  ['own', 'not declared', ['none', denied, denied, 'none', 'ok', 'none', 'ok']],
  ['own', 'not in host_api.tools', ['none', denied, denied, 'none', 'ok', 'none', 'ok']],
  ['own', 'another fixed client', ['ok', 'ok', 'ok', 'ok', denied, 'ok', denied]],
  ['own', 'declared without agent', ['ok', 'ok', 'ok', denied, denied, denied, denied]],
  ['hidden', 'declared', ['none', away, away, 'none', denied, 'none', denied]],
  ['hidden', 'not declared', ['none', denied, denied, 'none', denied, 'none', denied]],
  // Without its user's agreement a plugin of another is listed with the reason, and reached in no way.
  ['public', 'declared', ['unavailable', denied, denied, 'none', denied, 'none', denied]],
  [
    'public',
    'declared and refused for good',
    ['unavailable', denied, denied, 'none', denied, 'none', denied],
  ],
  ['public', 'declared and agreed to', ['ok', 'ok', 'ok', 'ok', denied, 'ok', denied]],
  ['public', 'not declared', ['none', denied, denied, 'none', denied, 'none', denied]],
  ['public', 'not in host_api.tools', ['none', denied, denied, 'none', denied, 'none', denied]],
  ['nobody', 'declared', ['none', away, away, 'none', denied, 'none', denied]],
  ['nobody', 'not declared', ['none', denied, denied, 'none', denied, 'none', denied]],
] as const)('the plugin %s, %s', async (which, said, expected) => {
  const id = ids[which] ?? ''
  const isNotDeclared = said === 'not declared' || said === 'named as fixed client alone'
  const optional_plugs = isNotDeclared ? ['asking'] : [id, 'asking']
  const clients = {
    'named as fixed client alone': [id],
    'another fixed client': ['tool-other'],
  } as Record<string, string[]>
  const fixed = { client_ids: clients[said] ?? [] }
  await services.pushDraft({
    optional_plugs,
    host_api: {
      // With it empty any declared tool may be invoked; `tools` is declared all the same.
      tools: said === 'not in host_api.tools' ? ['asking'] : [],
      ...(said !== 'declared without agent' && { agent: { session: { auto: true, fixed } } }),
    },
  })
  await services.host.apps.install('ada', {
    app_id: services.appId,
    version: '0.0.0-draft',
    grants: {
      plugs: said.endsWith('agreed to') ? [{ tool_id: id, version: '1.0.0' }] : [],
      plugs_never: said.endsWith('for good') ? [id] : [],
    },
  })
  const window = await services.openWindow()
  if (expected[0] === 'ok') await expect.poll(() => ways.list(window, id)).toBe('ok')
  done.length = 0
  const came: string[] = []
  for (const way of names) came.push(await ways[way](window, id))
  expect(came).toEqual(expected)
  const least = expected.slice(1, 3).filter((code) => code === 'ok').length
  await expect.poll(() => done.length).toBeGreaterThanOrEqual(least)
  expect(done.filter((one) => one === id)).toHaveLength(expected[1] === 'ok' ? 2 : 0)
})

const uninstall = async () => {
  const [install] = await services.host.apps.installed('ada')
  await services.host.apps.uninstall('ada', install?.install_id ?? '')
}

verifies.each('access.tool.every_way')([
  ['a window that is closed', (window: TestWindow) => window.call('window', 'close')],
  ['an app that was uninstalled', uninstall],
] as const)('%s reaches no tool in any way', async (_name, end) => {
  const id = ids.operator ?? ''
  await services.pushDraft({ optional_plugs: [id, 'asking'], host_api: { agent } })
  const window = await services.openWindow()
  await end(window)
  done.length = 0
  for (const way of names) expect(await ways[way](window, id)).toBe('not_found')
  expect(done).toEqual([])
})

const notFound = 'not_found'
verifies.each('access.tool.every_way')([
  ['a window is closed', (window: TestWindow) => window.call('window', 'close'), notFound, notFound],
  ['an app is uninstalled', uninstall, notFound, notFound],
  [
    'a manifest has no agent any more',
    () => services.pushDraft({ optional_plugs: [ids.operator ?? '', 'asking'] }),
    denied,
    denied,
  ],
  [
    'a manifest does not declare it any more',
    () => services.pushDraft({ optional_plugs: ['asking'], host_api: { agent } }),
    'none',
    denied,
  ],
] as const)('a plugin whose call goes on while %s asks in vain', async (_name, end, auto, fixed) => {
  const id = ids.operator ?? ''
  for (const [submode, expected] of [
    ['auto', auto],
    ['fixed', fixed],
  ] as const) {
    await services.pushDraft({ optional_plugs: [id, 'asking'], host_api: { agent } })
    await services.host.apps.install('ada', { app_id: services.appId, version: '0.0.0-draft', grants: {} })
    const window = await services.openWindow()
    await expect.poll(() => ways.list(window, ids.asking ?? '')).toBe('ok')
    told = ''
    meanwhile = () => end(window)
    await asking(window, { submode, id })
    meanwhile = async () => {}
    await expect.poll(() => told).not.toBe('')
    expect([submode, told]).toEqual([submode, expected])
  }
})
