import { openTestHost, type TestHost, type TestWindow, testManifest } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import type { ManifestInput, RpcResponse } from '@svc/contract'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { named, npm, weather } from '../../testing/publishing.ts'
import { readyRunner } from '../../testing/runners.ts'

/** An id that nobody has, of the form of one that somebody might. */
const NOBODY = `tool-ada-weather-${'0'.repeat(26)}`
const SECRET = 'SKY_KEY'
const NO_SECRET = 'NO_KEY_'

let services: TestHost

/** Ada's private plugin, which asks for a credential, in a host whose runner has it. */
async function open() {
  services = await openTestHost({ runner: readyRunner('forecast') })
  const manifest = { ...weather(), credentials: [SECRET] }
  const { tool_id: toolId } = await services.host.publishing.create('ada', {
    ...named,
    manifest,
    distribution: npm,
  })
  return { toolId }
}

/** An app of a user as a draft, opened. */
async function appOf(
  user: string,
  slug: string,
  required_plugs: readonly string[],
  client_ids: string[] = [],
) {
  const { apps } = services.host
  const host_api = { credentials: ['*'], agent: { session: { auto: true, fixed: { client_ids } } } }
  const manifest: ManifestInput = testManifest({ required_plugs: [...required_plugs], host_api })
  const cookie = await services.signIn(user)
  const { app_id } = await apps.register(user, { slug, name: slug })
  const files = new Map([['index.html', Buffer.from('<p>')]])
  const { version } = await apps.pushDraft(user, app_id, { manifest, files })
  await apps.install(user, { app_id, version, grants: { credentials_grant: true } })
  return { app_id, window: await services.openWindow(undefined, undefined, cookie, app_id) }
}

type Call = (window: TestWindow) => Promise<RpcResponse>

/** Who may not reach ada's plugin, each with how it calls. */
const strangers: readonly [who: string, (toolId: string) => Promise<(call: Call) => Promise<RpcResponse>>][] =
  [
    [
      'another user, in an app that declares it',
      async (toolId) => {
        const { window } = await appOf('bob', 'guess', [toolId, NOBODY])
        return (call) => call(window)
      },
    ],
    [
      'another app of its owner, which declares other plugins',
      async () => {
        const { window } = await appOf('ada', 'other', ['weather'], ['weather'])
        return (call) => call(window)
      },
    ],
    [
      'another window, with the token of this one',
      async (toolId) => {
        const { window } = await appOf('ada', 'own', [toolId])
        const other = await appOf('ada', 'other', ['weather'])
        return (call) => call({ ...window, call: callAs(window, other.window.windowUuid) })
      },
    ],
    [
      'a window that is closed',
      async (toolId) => {
        const { window } = await appOf('ada', 'own', [toolId])
        await services.host.windows.close('ada', window.windowUuid, null)
        return (call) => call(window)
      },
    ],
  ]

const callAs =
  (window: TestWindow, window_uuid: string): TestWindow['call'] =>
  async (ns, method, args = {}) =>
    (await window.post(JSON.stringify({ id: '1', window_uuid, ns, method, args }))).body as RpcResponse

/** What a stranger may try with an id, and with a secret. */
const tries: readonly [name: string, (toolId: string, secret: string) => Call][] = [
  ['tools.invoke', (tool_id) => (window) => window.call('tools', 'invoke', { tool_id, method: 'forecast' })],
  [
    'tools.invoke, in one name',
    (tool_id) => (window) => window.call('tools', 'invoke', { tool_id: `${tool_id}.forecast` }),
  ],
  [
    'tools.invokeAsync',
    (tool_id) => (window) => window.call('tools', 'invokeAsync', { tool_id, method: 'forecast' }),
  ],
  ['tools.listJobs', (tool_id) => (window) => window.call('tools', 'listJobs', { tool_id })],
  [
    'agent.session.create',
    (fixed_client_id) => (window) =>
      window.call('agent', 'session.create', { submode: 'fixed', fixed_client_id }),
  ],
  ['credentials.status', (_, name) => (window) => window.call('credentials', 'status', { name })],
  ['credentials.request', (_, name) => (window) => window.call('credentials', 'request', { name })],
]

/** The answer with either of two words of one length taken out. */
const blind = (answer: unknown, ...words: string[]) =>
  words.reduce((text, word) => text.replaceAll(word, '…'), JSON.stringify(answer))

describe.each(strangers)('a private plugin for %s', (_who, enter) => {
  let toolId: string
  let as: (call: Call) => Promise<RpcResponse>
  beforeAll(async () => {
    toolId = (await open()).toolId
    as = await enter(toolId)
  })
  afterAll(() => services.close())

  verifies.each('plug.reach.hidden')(tries)('by %s, is like none', async (_name, work) => {
    const tried = await as(work(toolId, SECRET))
    const absent = await as(work(NOBODY, NO_SECRET))
    expect(blind(tried, toolId, SECRET)).toBe(blind(absent, NOBODY, NO_SECRET))
    expect(JSON.stringify(tried)).not.toContain('The weather.')
  })

  verifies.each('plug.reach.hidden')([
    ['tools', 'list'],
    ['credentials', 'list'],
  ])('is not in %s.%s', async (ns, method) => {
    const answer = JSON.stringify(await as((window) => window.call(ns, method)))
    expect(answer).not.toContain(toolId)
    expect(answer).not.toContain(SECRET)
  })
})

describe('a private plugin', () => {
  afterEach(() => services.close())

  verifies('plug.reach.hidden', 'is there for its owner, in the app that declares it', async () => {
    const { toolId } = await open()
    const { window } = await appOf('ada', 'own', [toolId])
    const codes = await Promise.all(
      tries.map(async ([, work]) => {
        const answer = await work(toolId, SECRET)(window)
        return answer.ok ? 'ok' : answer.error.code
      }),
    )
    expect(codes).toEqual(tries.map(() => 'ok'))
  })

  verifies('plug.reach.hidden', 'is told to nobody by a release that guesses its id', async () => {
    const { toolId } = await open()
    const said = await Promise.all(
      [toolId, NOBODY].map(async (id, at) => {
        const { app_id } = await appOf('bob', `guess-${at}`, [id])
        const error: unknown = await services.host.apps.release('bob', app_id, '1.0.0').catch((err) => err)
        return blind([`${error}`, (error as { details: unknown }).details], id)
      }),
    )
    expect(said[0]).toBe(said[1])
  })
})

describe('a route', () => {
  let toolId: string
  let cookie: string
  beforeAll(async () => {
    toolId = (await open()).toolId
    cookie = await services.signIn('bob')
  })
  afterAll(() => services.close())

  verifies.each('route.foreign')([
    ['GET', '', undefined],
    ['PATCH', '', { name: 'Mine' }],
    ['DELETE', '', undefined],
    ['GET', '/versions', undefined],
    ['POST', '/versions', { manifest: weather('Evil.') }],
    ['POST', '/versions?dry_run=1', {}],
    ['PATCH', '/versions/1.0.0', { status: 'yanked' }],
  ])('%s …%s of another user is like one of none', async (method, path, body) => {
    const send = async (id: string) => {
      const init = { method, cookie, ...(body && { body: JSON.stringify(body) }) }
      const response = await services.request(`/plugs/my/tools/${id}${path}`, init)
      return [response.status, blind(await response.json(), id)]
    }
    expect(await send(toolId)).toEqual(await send(NOBODY))
    expect((await send(toolId))[0]).toBe(404)
    expect(await services.host.publishing.get('ada', toolId)).toMatchObject({ name: 'Weather' })
  })
})
