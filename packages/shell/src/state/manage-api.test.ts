import { expect, it } from 'vitest'
import { createApi } from './api.ts'
import { DESCRIBE_MS } from './exchange.ts'
import type { ManageApi } from './manage-api.ts'

const listed = (own: boolean) => ({ tool_id: `tool-${own}`, own })
const answers: Readonly<Record<string, unknown>> = {
  'GET /plugs': { plugs: [listed(true), listed(false)], next_cursor: 'more' },
  'GET /plugs?cursor=a%2Fb': { plugs: [listed(false)], next_cursor: null },
  'GET /plugs/my/tools': { plugs: [listed(true)] },
  'POST /plugs/my/describe': { manifest: { name: 'w' } },
}

const distribution = { type: 'local', path: '/opt/w' } as const

it.each<[string, (api: ManageApi) => Promise<unknown>, string[], unknown?]>([
  ['own plugins', (api) => api.ownPlugs(), ['GET /plugs/my/tools'], [listed(true)]],
  [
    'what others published',
    (api) => api.otherPlugs(null),
    ['GET /plugs'],
    { plugs: [listed(false)], next: 'more' },
  ],
  [
    'more of it',
    (api) => api.otherPlugs('a/b'),
    ['GET /plugs?cursor=a%2Fb'],
    { plugs: [listed(false)], next: null },
  ],
  ['a plugin', (api) => api.plug('a/b'), ['GET /plugs/my/tools/a%2Fb']],
  [
    'a mint',
    (api) => api.mint({ name: 'W', type: 'tool' }),
    ['POST /plugs/my/drafts {"name":"W","type":"tool"}'],
  ],
  [
    'a description, with patience',
    (api) => api.describe(distribution),
    [`POST /plugs/my/describe {"distribution":${JSON.stringify(distribution)}}`],
    { name: 'w' },
  ],
  [
    'a commit',
    (api) => api.commit('drf_1', { readme: null }),
    ['POST /plugs/my/drafts/drf_1/commit {"readme":null}'],
  ],
  ['an edit', (api) => api.edit('t', { name: 'V' }), ['PATCH /plugs/my/tools/t {"name":"V"}']],
  ['a removal', (api) => api.remove('t'), ['DELETE /plugs/my/tools/t']],
  ['a trial', (api) => api.preview('t', {}), ['POST /plugs/my/tools/t/versions?dry_run=1 {}']],
  [
    'a version',
    (api) => api.publish('t', { version: '2.0.0' }),
    ['POST /plugs/my/tools/t/versions {"version":"2.0.0"}'],
  ],
  [
    'a mark',
    (api) => api.mark('t', '1.0.0+b', { status: 'yanked' }),
    ['PATCH /plugs/my/tools/t/versions/1.0.0%2Bb {"status":"yanked"}'],
  ],
  ['an enrolment', (api) => api.enrol('desk'), ['POST /api/v1/svc-apps/runners {"name":"desk"}']],
  ['a revocation', (api) => api.revoke('rnr_1'), ['DELETE /api/v1/svc-apps/runners/rnr_1']],
  [
    'an install',
    (api) => api.install({ app_id: 'a', version: '1.0.0', grants: {} }),
    ['POST /api/v1/svc-apps/installs {"app_id":"a","version":"1.0.0","grants":{}}'],
  ],
  ['questions again', (api) => api.forgetApprovals('a/b'), ['DELETE /api/v1/svc-apps/apps/a%2Fb/approvals']],
  ['its end', (api) => api.uninstall('i'), ['DELETE /api/v1/svc-apps/installs/i']],
])('asks for %s', async (_, ask, wanted, answer) => {
  const asked: string[] = []
  let patienceMs = 0
  const fetch: typeof globalThis.fetch = async (path, init) => {
    asked.push([init?.method, path, init?.body].filter(Boolean).join(' '))
    return Response.json(answers[`${init?.method} ${path}`] ?? {})
  }
  const api = createApi(fetch, (ms) => {
    patienceMs = ms
    return new AbortController().signal
  })
  const told = await ask(api.manage)
  expect(asked).toEqual(wanted)
  expect(patienceMs).toBe(wanted[0]?.includes('/describe') ? DESCRIBE_MS : 10_000)
  if (answer !== undefined) expect(told).toEqual(answer)
})
