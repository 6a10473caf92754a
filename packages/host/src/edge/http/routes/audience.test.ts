import { verifies } from '@svc/conformance/verifies'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { createHost } from '../../../create-host.ts'
import { named, tool } from '../../../testing/publishing.ts'
import { filesOf, testManifest } from '../../../testing/services.ts'

const ORIGIN = 'http://127.0.0.1:8787'
const INSTALLS = '/api/v1/svc-apps/installs'
const version = '1.0.0'

/** A host with a sign-in of its operator, a released app of ada, and what sends a request of a user. */
async function open(publishing?: 'everybody' | 'own') {
  const host = createHost({
    runner: null,
    logger: pino({ level: 'silent' }),
    ...(publishing && { publishing }),
    authenticate: ({ headers }) => {
      const id = headers.get('x-user')
      return id ? { id } : null
    },
  })
  onTestFinished(() => host.close())
  async function send(method: string, path: string, user: string, body: object) {
    const headers = {
      host: '127.0.0.1:8787',
      origin: ORIGIN,
      'x-user': user,
      'content-type': 'application/json',
    }
    const request = new Request(ORIGIN + path, { method, headers, body: JSON.stringify(body) })
    const response = await host.fetch(request)
    const { error, ...json } = (await response.json()) as { error?: { code: string }; tool_id?: string }
    return { code: error?.code ?? 'ok', json }
  }
  const { app_id } = await host.apps.register('ada', { slug: 'notes', name: 'Notes' })
  const draft = { manifest: testManifest(), files: filesOf({ 'index.html': '<p>' }) }
  await host.apps.pushDraft('ada', app_id, draft)
  await host.apps.release('ada', app_id, version)
  return { host, app_id, send }
}

verifies.each('wall.publishing.own')([
  [undefined, 'permission_denied', 'not_found'],
  ['own', 'permission_denied', 'not_found'],
  ['everybody', 'ok', 'ok'],
] as const)(
  'publishing: %s: a public plugin is %s, the app of another %s',
  async (publishing, made, installed) => {
    const { app_id, send } = await open(publishing)
    const create = (visibility: string) =>
      send('POST', '/plugs/my/tools', 'ada', { ...named, ...tool, visibility })
    expect((await create('public')).code).toBe(made)
    const { code, json } = await create('app_bundled')
    expect(code).toBe('ok')
    const edit = await send('PATCH', `/plugs/my/tools/${json.tool_id}`, 'ada', { visibility: 'public' })
    expect(edit.code).toBe(made)
    const { json: draft } = await send('POST', '/plugs/my/drafts', 'ada', named)
    const commit = `/plugs/my/drafts/${(draft as { draft_id?: string }).draft_id}/commit`
    expect((await send('POST', commit, 'ada', { ...tool, visibility: 'public' })).code).toBe(made)
    expect((await send('POST', INSTALLS, 'ada', { app_id, version })).code).toBe('ok')
    expect((await send('POST', INSTALLS, 'bob', { app_id, version })).code).toBe(installed)
  },
)

verifies('wall.publishing.own', 'who has an app by the operator may install it again', async () => {
  const { app_id, host, send } = await open()
  await host.apps.install('bob', { app_id, version })
  expect((await send('POST', INSTALLS, 'bob', { app_id, version })).code).toBe('ok')
})
