import { verifies } from '@svc/conformance/verifies'
import { WINDOW_TOKEN_HEADER } from '@svc/contract'
import { routes as table } from '@svc/contract/routes'
import { expect, onTestFinished } from 'vitest'
import { createHost } from '../../../create-host.ts'
import { testManifest } from '../../../testing/services.ts'

type Name = keyof typeof table
type Fields = Readonly<Record<string, unknown>>

interface Sent {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  readonly token?: string
}

/** A listening host with a user signed in; `ask` goes by the table and takes only answers of the table's shape. */
async function openClient() {
  const host = createHost({ harness: true, runner: null })
  onTestFinished(() => host.close())
  const { url } = await host.listen(0)
  let cookie = ''

  // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of every shape.
  async function ask(name: Name, { params = {}, query = '', body, token }: Sent = {}): Promise<any> {
    const { method, path, answer } = table[name]
    const place = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => params[key] ?? '')
    const response = await fetch(url + place + query, {
      method,
      headers: {
        origin: url,
        cookie,
        authorization: `Bearer ${host.startToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { [WINDOW_TOKEN_HEADER]: token }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const said: unknown = await response.json()
    expect(response.status, `${name} answered ${JSON.stringify(said)}`).toBe(200)
    if (answer === null || typeof answer === 'string') throw new Error(`${name} answers no JSON`)
    // A field that the table does not name is dropped by the schema, and missed here.
    expect(answer.parse(said), name).toEqual(said)
    cookie ||= response.headers.get('set-cookie')?.split(';')[0] ?? ''
    return said
  }
  await ask('signIn.dev', { body: { user: 'ada' } })
  return ask
}

const host_api = { agent: { session: { auto: true, fixed: null } }, llm: ['complete'] }
const manifest = testManifest({ host_api })
const files = { 'index.html': Buffer.from('<p>').toString('base64') }

verifies(
  'route.table.answers',
  'apps, windows, calls, sessions and jobs answer in the shapes of the table',
  async () => {
    const ask = await openClient()
    await ask('signIn.who')
    await ask('health.live')
    await ask('health.ready')
    const { app_id } = await ask('apps.register', { body: { slug: 'notes', name: 'Notes' } })
    await ask('apps.push', { params: { app_id }, body: { manifest, files } })
    await ask('apps.release', { params: { app_id }, body: { version: '1.0.0' } })
    await ask('apps.list', { query: '?search=notes' })
    await ask('apps.releases', { params: { app_id } })
    const grants = { web_grant: true, quota_caps: { max_runs_per_day: 5 } }
    const { install_id } = await ask('installs.install', { body: { app_id, version: '1.0.0', grants } })
    await ask('installs.list')

    const { window_uuid, token } = await ask('windows.open', { body: { app_id } })
    await ask('windows.list')
    await ask('windows.renew', { params: { window_uuid }, body: {} })
    const call = { id: '1', window_uuid, ns: 'window', method: 'hello', args: {} }
    await ask('calls.rpc', { token, body: call })
    await ask('sessions.complete', {
      token,
      body: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] },
    })
    const { app_session_uuid } = await ask('sessions.create', { token, body: { submode: 'auto' } })
    await ask('sessions.list', { token, query: '?limit=5' })
    await ask('sessions.refresh', { params: { app_session_uuid }, body: {} })
    await ask('page.sessions', { query: '?include_expired=true' })
    await ask('page.jobs')
    await ask('sessions.delete', { params: { app_session_uuid } })
    await ask('page.endSession', { params: { app_session_uuid } })
    await ask('windows.close', { params: { window_uuid } })
    await ask('installs.remove', { params: { install_id } })
  },
)

verifies('route.table.answers', 'publishing answers in the shapes of the table', async () => {
  const ask = await openClient()
  const tool = (description: string): Fields => ({
    name: 'weather',
    version: '1.0.0',
    tools: [
      { name: 'forecast', description, parameters: [{ name: 'city', type: 'string', required: true }] },
    ],
  })
  const distribution = { type: 'npm', package_name: 'weather', version: '1.0.0' }
  const { draft_id, tool_id } = await ask('plugs.mint', { body: { name: 'Weather', type: 'tool' } })
  const params = { draft_id, tool_id, version: '1.0.0' }
  await ask('plugs.commit', { params, body: { manifest: tool('a'), distribution, tags: ['sky'] } })
  await ask('plugs.create', {
    body: { name: 'Notes', type: 'skill', manifest: { name: 'notes' }, readme: '# Notes' },
  })
  await ask('plugs.own')
  await ask('plugs.get', { params })
  await ask('plugs.edit', { params, body: { visibility: 'public' } })
  await ask('plugs.list', { query: '?limit=1' })
  await ask('plugs.publish', { params, query: '?dry_run=1', body: { manifest: tool('b') } })
  await ask('plugs.publish', { params, body: { manifest: tool('b') } })
  await ask('plugs.versions', { params })
  await ask('plugs.mark', { params, body: { status: 'yanked', reason: 'Wrong.', successor: '1.0.1' } })
  await ask('plugs.remove', { params })
})

verifies('route.table.answers', 'machines answer in the shapes of the table', async () => {
  const ask = await openClient()
  const { runner_id } = await ask('runners.enrol', { body: { name: 'desk' } })
  await ask('runners.list')
  await ask('runners.revoke', { params: { runner_id } })
})
