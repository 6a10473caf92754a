import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { named, npm, skill, tool, weather } from '../../../testing/publishing.ts'
import { openRoutes } from '../../../testing/routes.ts'

const MINE = '/plugs/my/tools'
const post = (body: unknown) => ({ method: 'POST', body })
const patch = (body: unknown) => ({ method: 'PATCH', body })

/** Routes with a public plugin of ada. */
async function withPlug() {
  const opened = await openRoutes()
  const { json } = await opened.send(MINE, post({ ...named, ...tool, visibility: 'public' }))
  return { ...opened, tool_id: json.tool_id as string, url: `${MINE}/${json.tool_id}` }
}

/** Every route, with a body that it would take. */
const routesOf = (toolId: string, draftId: string): [method: string, path: string, body?: unknown][] => [
  ['POST', `/plugs/my/drafts/${draftId}/commit`, tool],
  ['GET', `${MINE}/${toolId}`],
  ['PATCH', `${MINE}/${toolId}`, { name: 'Mine' }],
  ['DELETE', `${MINE}/${toolId}`],
  ['POST', `${MINE}/${toolId}/versions`, { manifest: weather('Evil.') }],
  ['POST', `${MINE}/${toolId}/versions?dry_run=1`, {}],
  ['GET', `${MINE}/${toolId}/versions`],
  ['PATCH', `${MINE}/${toolId}/versions/1.0.0`, { status: 'yanked' }],
]
const own: [method: string, path: string, body?: unknown][] = [
  ['POST', '/plugs/my/drafts', named],
  ['POST', MINE, { ...named, ...tool }],
  ['GET', MINE],
  ['GET', '/plugs'],
]
const every = [...own, ...routesOf('tool-x', 'drf_x')]

describe('who may ask', () => {
  verifies.each('route.no_sign_in')(every)('%s %s without a sign-in is 401', async (method, path, body) => {
    const { send } = await openRoutes()
    const { status, code } = await send(path, { method, body, cookie: null })
    expect([status, code]).toEqual([401, 'invalid_token'])
  })

  verifies.each('wall.origin')(every.filter(([method]) => method !== 'GET'))(
    '%s %s without a listed Origin is 403',
    async (method, path, body) => {
      const { send } = await openRoutes()
      for (const origin of [null, 'null', 'http://evil.example']) {
        const { status, code } = await send(path, { method, body, headers: { origin } })
        expect([status, code]).toEqual([403, 'permission_denied'])
      }
    },
  )

  verifies('route.foreign', 'what is of another user is as if it were not there', async () => {
    const { send, login, tool_id } = await withPlug()
    const draft = await send('/plugs/my/drafts', post(named))
    const bob = await login('bob')
    const absent = routesOf('tool-none', 'drf_none')
    for (const [at, [method, path, body]] of routesOf(tool_id, draft.json.draft_id).entries()) {
      const foreign = await send(path, { method, body, cookie: bob })
      expect([path, foreign.status, foreign.code]).toEqual([path, 404, 'not_found'])
      const missing = await send(absent[at]?.[1] ?? '', { method, body, cookie: bob })
      expect(foreign.text.replace(tool_id, 'tool-none').replace(draft.json.draft_id, 'drf_none')).toBe(
        missing.text,
      )
    }
    expect((await send(MINE, { cookie: bob })).json).toEqual({ plugs: [], next_cursor: null })
    expect((await send(`${MINE}/${tool_id}`)).json).toMatchObject({ name: 'Weather', version: '1.0.0' })
  })
})

describe('publishing over HTTP', () => {
  verifies(['route.drafts.mint', 'route.drafts.commit'], 'mints, then commits once', async () => {
    const { services, send } = await openRoutes()
    const minted = await send('/plugs/my/drafts', post(named))
    expect([minted.status, minted.json]).toEqual([
      200,
      {
        draft_id: expect.stringMatching(/^drf_/),
        tool_id: expect.stringMatching(/^tool-ada-weather-/),
        expires_at: new Date(services.clock.now() + 86_400_000).toISOString(),
      },
    ])
    const { draft_id, tool_id } = minted.json
    const url = `/plugs/my/drafts/${draft_id}/commit`
    const unavailable = await send(url, post({ distribution: npm }))
    expect([unavailable.status, unavailable.code]).toEqual([503, 'agent_unavailable'])
    expect(unavailable.json.error.details).toEqual({
      retriable: true,
      hint: expect.stringContaining('send `manifest`'),
    })
    const made = await send(url, post(tool))
    expect([made.status, made.json]).toMatchObject([
      200,
      { tool_id, visibility: 'private', version: '1.0.0' },
    ])
    const again = await send(url, post(tool))
    expect([again.status, again.code]).toEqual([409, 'conflict'])
    const late = await send('/plugs/my/drafts', post(named))
    await services.clock.advance(86_400_000)
    const expired = await send(`/plugs/my/drafts/${late.json.draft_id}/commit`, post(tool))
    expect([expired.status, expired.code]).toEqual([410, 'draft_expired'])
  })

  verifies('route.tools.create', 'creates, and drops a tool_id in silence', async () => {
    const { send } = await openRoutes()
    const { status, json } = await send(MINE, post({ ...named, ...tool, tool_id: 'tool-eve-x-1' }))
    expect([status, json.tool_id]).toEqual([200, expect.stringMatching(/^tool-ada-weather-/)])
    expect((await send(`${MINE}/tool-eve-x-1`)).status).toBe(404)
    expect((await send(MINE, post({ name: 'H', type: 'skill', ...skill }))).json.type).toBe('skill')
  })

  verifies('route.plugs.list', 'lists, shows, edits and removes', async () => {
    const { send, login, tool_id, url } = await withPlug()
    const bob = await login('bob')
    expect((await send(MINE)).json).toMatchObject({ plugs: [{ tool_id, own: true, tools: ['forecast'] }] })
    expect((await send('/plugs', { cookie: bob })).json).toMatchObject({ plugs: [{ tool_id, own: false }] })
    const edited = await send(url, patch({ name: 'Sky', tags: ['sky'], visibility: 'private' }))
    expect(edited.json).toMatchObject({ tool_id, name: 'Sky', tags: ['sky'], visibility: 'private' })
    expect((await send(url)).json).toEqual(edited.json)
    expect((await send('/plugs', { cookie: bob })).json).toEqual({ plugs: [], next_cursor: null })
    const removed = await send(url, { method: 'DELETE' })
    expect([removed.status, removed.json]).toEqual([200, {}])
    for (const [method, path, body] of routesOf(tool_id, 'drf_none'))
      expect([path, (await send(path, { method, body })).status]).toEqual([path, 404])
    expect((await send(MINE)).json).toEqual({ plugs: [], next_cursor: null })
  })

  verifies('route.plugs.configured', 'begins with what the operator configured, for everybody', async () => {
    const plugins = [{ slug: 'csv-stats', command: ['node', 'none.ts'] as const }]
    const { send, login } = await openRoutes({ plugins })
    const { json } = await send(MINE, post({ ...named, ...tool, visibility: 'public' }))
    const configured = {
      tool_id: expect.stringMatching(/^tool-local-csv-stats-[0-9a-f]{8}$/),
      name: 'csv-stats',
      type: 'tool',
      own: false,
      configured: true,
      visibility: 'public',
      tools: [],
      status: 'unavailable',
      problem: expect.stringContaining('its operator finds the reason in the log'),
      distribution_type: null,
    }
    const mine = { tool_id: json.tool_id, own: true, configured: false }
    const bob = await login('bob')
    expect((await send('/plugs')).json.plugs).toMatchObject([mine, configured])
    expect((await send('/plugs', { cookie: bob })).json.plugs).toMatchObject([
      configured,
      { ...mine, own: false },
    ])
    const [{ tool_id }] = (await send('/plugs', { cookie: bob })).json.plugs
    for (const [method, path, body] of routesOf(tool_id, 'drf_none'))
      expect([path, (await send(path, { method, body })).status]).toEqual([path, 404])
    expect((await send(MINE)).json.plugs).toMatchObject([mine])
  })

  verifies('route.plugs.configured', 'says in the harness alone why one cannot be used', async () => {
    const plugins = [{ slug: 'csv-stats', command: ['node', 'none.ts'] as const }]
    const { send } = await openRoutes({ plugins, settings: { harness: true } })
    expect((await send('/plugs')).json.plugs).toMatchObject([{ problem: 'this host has no runner' }])
  })

  verifies.each('plug.record')([
    [
      { type: 'npm', package_name: 'weather-plugin', executable_name: 'weather' },
      { distribution_type: 'npm', package_name: 'weather-plugin', executable_name: 'weather' },
    ],
    [
      { type: 'uv', package_name: 'weather' },
      { distribution_type: 'uv', package_name: 'weather', executable_name: null },
    ],
    [
      { type: 'local', path: '/opt/weather.tgz' },
      { distribution_type: 'local', package_name: null, executable_name: null },
    ],
  ])('a plugin of %j says so in single fields', async (distribution, fields) => {
    const { send } = await openRoutes()
    const made = await send(MINE, post({ ...named, manifest: weather(), distribution }))
    expect(made.json).toMatchObject({ ...fields, distribution })
    expect((await send(`${MINE}/${made.json.tool_id}`)).json).toEqual(made.json)
    const other = await send(MINE, post({ name: 'H', type: 'skill', ...skill }))
    expect(other.json).toMatchObject({ distribution_type: null, package_name: null, executable_name: null })
  })

  verifies('plug.manifest.whole', 'a manifest is kept as it was said, and all of it is content', async () => {
    const { send } = await openRoutes()
    const manifest = {
      name: 'weather',
      homepage: 'https://site.org',
      rating: { stars: 5, by: [null, 'x'] },
      tools: [
        {
          name: 'forecast',
          annotations: { readOnly: true },
          parameters: [{ name: 'city', type: 'string', example: 'Lisbon' }],
        },
      ],
    }
    const body = { ...named, ...tool, manifest, visibility: 'public' }
    const { json } = await send(MINE, post(body))
    expect(json.manifest).toEqual({ ...manifest, version: '1.0.0' })
    const url = `${MINE}/${json.tool_id}`
    const publish = async (next: unknown) => (await send(`${url}/versions`, post({ manifest: next }))).code
    const turned = Object.fromEntries(Object.entries(manifest).reverse())
    expect(await publish(turned)).toBe('no_content_changes')
    const [first] = manifest.tools
    const deeper = { ...manifest, tools: [{ ...first, annotations: { readOnly: false } }] }
    const tried = await send(`${url}/versions?dry_run=1`, post({ manifest: deeper }))
    expect(tried.json.changes.changed).toEqual(['manifest.tools.forecast.annotations.readOnly'])
    expect(await publish(deeper)).toBeUndefined()
    expect(await publish({ ...deeper, rating: { stars: 4 } })).toBeUndefined()
  })

  verifies(
    ['route.plugs.versions', 'route.plugs.dry_run'],
    'tries, publishes, lists and marks versions',
    async () => {
      const { send, tool_id, url } = await withPlug()
      const next = post({ manifest: weather('Better.') })
      const tried = await send(`${url}/versions?dry_run=1`, next)
      expect([tried.status, tried.json]).toEqual([
        200,
        {
          dry_run: true,
          from: '1.0.0',
          version: '1.0.1',
          changes: {
            added: [],
            removed: [],
            changed: ['manifest.tools.forecast.description'],
            truncated: false,
          },
        },
      ])
      expect((await send(`${url}/versions`)).json.versions).toHaveLength(1)
      const made = await send(`${url}/versions`, next)
      expect([made.status, made.json]).toMatchObject([200, { tool_id, version: '1.0.1', status: 'active' }])
      const same = await send(`${url}/versions`, next)
      expect([same.status, same.code]).toEqual([409, 'no_content_changes'])
      expect(same.json.error.message).toContain('no content changes since the last published version')
      const marked = await send(
        `${url}/versions/1.0.0`,
        patch({ status: 'yanked', reason: 'It leaks.', successor: '1.0.1' }),
      )
      expect(marked.json).toMatchObject({ version: '1.0.0', status: 'yanked', successor: '1.0.1' })
      expect((await send(`${url}/versions`)).json).toEqual({ versions: [made.json, marked.json] })
    },
  )

  it.each([['true'], [''], ['yes'], ['2']])('dry_run=%s is refused and publishes nothing', async (value) => {
    const { send, url } = await withPlug()
    const tried = await send(`${url}/versions?dry_run=${value}`, post({ manifest: weather('Better.') }))
    expect([tried.status, tried.code]).toEqual([400, 'invalid_arg'])
    expect((await send(`${url}/versions`)).json.versions).toHaveLength(1)
  })

  it.each([
    ['POST', '/plugs/my/drafts', { name: 7, type: 'tool' }, 'name'],
    ['POST', MINE, { ...named, ...tool, tags: ['a', ' '] }, 'tags.1'],
    ['POST', '/plugs/my/describe', { distribution: { type: 'npm' } }, 'distribution.package_name'],
    ['PATCH', `${MINE}/tool-x`, { visibility: 'secret' }, 'visibility'],
    ['POST', `${MINE}/tool-x/versions`, { manifest: { name: 'weather', tools: 1 } }, 'manifest.tools'],
    ['PATCH', `${MINE}/tool-x/versions/1.0.0`, { status: 'gone' }, 'status'],
    ['POST', '/plugs/my/drafts/drf_x/commit', { readme: 7 }, 'readme'],
    ['POST', '/api/v1/svc-apps/runners', { name: ' ' }, 'name'],
  ])('%s %s names what is wrong in %j', async (method, path, body, wrong) => {
    const { send } = await openRoutes()
    const answer = await send(path, { method, body })
    expect([answer.status, answer.code]).toEqual([400, 'invalid_arg'])
    expect(answer.json.error.details.path).toBe(wrong)
  })

  it.each([
    ['another media type', { headers: { 'content-type': 'text/plain' } }, 415],
    ['no JSON', { body: '{' }, 400],
    ['a list', { body: [] }, 400],
    ['more than 1 MiB', { body: { ...named, readme: 'x'.repeat(1_048_576) } }, 413],
  ])('a body of %s is refused', async (_, sent, status) => {
    const { send } = await openRoutes()
    const answer = await send(MINE, { method: 'POST', body: named, ...sent })
    expect([answer.status, answer.code]).toEqual([status, 'invalid_arg'])
  })
})
