import type { RpcResponse } from '@svc/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import { type TestWindow, testManifest } from './testing/host.ts'
import { ODD_MANIFEST, openToolHost, type ToolHost } from './testing/tool-host.ts'
import { verifies } from './verifies.ts'

const CALLERS = {
  own: 'the window that started it',
  beside: 'another window of the app',
  otherApp: 'a window of another app of the user',
  otherUser: 'a window of another user in the same app',
  closed: 'a closed window of the app',
} as const
type Caller = keyof typeof CALLERS

let testHost: ToolHost
let windows: Readonly<Record<Caller, TestWindow>>

beforeAll(async () => {
  testHost = await openToolHost()
  const { apps, windows: opened } = testHost.host
  const { app_id } = await apps.register('ada', { slug: 'other', name: 'Other' })
  const files = new Map([['index.html', Buffer.from('<!doctype html>')]])
  const manifest = testManifest({ required_plugs: [...ODD_MANIFEST.required_plugs] })
  await apps.pushDraft('ada', app_id, { manifest, files })
  await apps.install('ada', { app_id, version: '0.0.0-draft' })
  await apps.release('ada', testHost.appId, '1.0.0')
  const bob = await testHost.signIn('bob')
  await apps.install('bob', { app_id: testHost.appId, version: '1.0.0' })
  windows = {
    own: testHost.window,
    beside: await testHost.openWindow('second'),
    otherApp: await testHost.openWindow('main', undefined, undefined, app_id),
    otherUser: await testHost.openWindow('main', undefined, bob),
    closed: await testHost.openWindow('main'),
  }
  await opened.close('ada', windows.closed.windowUuid, null)
})
afterAll(() => testHost.close())

interface Answer {
  readonly status: number
  readonly body: unknown
}

const rpc = async (caller: Caller, method: string, args: object): Promise<Answer> => {
  const { windowUuid: window_uuid, post } = windows[caller]
  const { status, body } = await post(JSON.stringify({ id: '1', window_uuid, ns: 'tools', method, args }))
  return { status, body }
}
const route = async (caller: Caller, path: string, init: RequestInit = {}): Promise<Answer> => {
  const { cookie } = windows[caller]
  const response = await testHost.request(`/api/v1/svc-apps/jobs${path}`, { ...init, cookie })
  return { status: response.status, body: await response.json() }
}

/** Every way to reach a job, and what a list that holds it is searched for. */
const ASKS = {
  getJob: (caller, jobId) => rpc(caller, 'getJob', { jobId }),
  listJobs: (caller) => rpc(caller, 'listJobs', { limit: 100 }),
  'GET jobs': (caller) => route(caller, '?limit=100'),
  cancelJob: (caller, jobId) => rpc(caller, 'cancelJob', { jobId, reason: 'mine' }),
  'POST cancel': (caller, jobId) =>
    route(caller, `/${encodeURIComponent(jobId)}/cancel`, { method: 'POST', body: '{"reason":"mine"}' }),
} satisfies Record<string, (caller: Caller, jobId: string) => Promise<Answer>>
type Ask = keyof typeof ASKS

const NEVER = `tjob_${'0'.repeat(32)}`

async function start(): Promise<string> {
  const answer = (await rpc('own', 'invokeAsync', { tool_id: 'odd', method: 'hang' })).body as RpcResponse
  if (!answer.ok) throw new Error(answer.error.message)
  return (answer.result as { jobId: string }).jobId
}
const stateOf = async (jobId: string) => {
  const { jobs } = await testHost.host.jobs.list('ada', { limit: 100 })
  return jobs.find((job) => job.jobId === jobId)?.state
}

/** `there`: it is found; `absent`: as if it had never been; `closed`: nothing is answered to this window. */
type Verdict = 'there' | 'absent' | 'closed'
/** The calls of a window, and the routes of the page of its user, which is over all apps. */
const table: readonly (readonly [Caller, calls: Verdict, routes: Verdict])[] = [
  ['own', 'there', 'there'],
  ['beside', 'there', 'there'],
  ['otherApp', 'absent', 'there'],
  ['otherUser', 'absent', 'absent'],
  ['closed', 'closed', 'there'],
]
const cells = table.flatMap(([caller, calls, routes]) =>
  (Object.keys(ASKS) as Ask[]).map(
    (ask) => [ask, CALLERS[caller], ask.includes(' ') ? routes : calls, caller] as const,
  ),
)

verifies.each([
  'job.foreign',
  'decision.job.owner',
  'error.job_not_found',
  'route.jobs',
  'error.not_found.window',
])(cells)('%s in %s: the job is %s', async (ask, _who, verdict, caller) => {
  const jobId = await start()
  const cancels = ask.includes('ancel')
  const answer = await ASKS[ask](caller, jobId)
  const text = JSON.stringify(answer.body)
  if (verdict === 'there') {
    expect(answer.status).toBe(200)
    expect(text).toContain(jobId)
    expect(await stateOf(jobId)).toMatch(cancels ? /^cancelled$/ : /^queued$|^running$/)
  } else {
    expect(text).not.toContain(jobId)
    // To the letter what is answered for a job that never was.
    expect(answer).toEqual(await ASKS[ask](caller, NEVER))
    const code = verdict === 'closed' ? 'not_found' : 'job_not_found'
    if (verdict === 'closed' || ask === 'getJob' || cancels) {
      expect(answer).toMatchObject({ status: 404, body: { error: { code } } })
    } else expect(answer).toMatchObject({ status: 200 })
    expect(await stateOf(jobId)).toMatch(/^queued$|^running$/)
  }
  await testHost.host.jobs.cancel('ada', jobId)
})

verifies.each(['job.foreign', 'error.job_not_found', 'ids.job'])([
  ['an id that never was', () => NEVER],
  ['an id in capitals', (jobId: string) => jobId.toUpperCase()],
  ['an id without its kind', (jobId: string) => jobId.slice('tjob_'.length)],
  ['an id with more behind it', (jobId: string) => `${jobId}\n`],
  ['the id of a window', () => windows.own.windowUuid],
  ['an inherited name', () => 'constructor'],
])('%s finds no job, even one of its own', async (_what, idOf) => {
  const jobId = await start()
  for (const ask of ['getJob', 'cancelJob', 'POST cancel'] as const)
    expect(await ASKS[ask]('own', idOf(jobId))).toMatchObject({
      status: 404,
      body: { error: { code: 'job_not_found' } },
    })
  expect(await stateOf(jobId)).toMatch(/^queued$|^running$/)
  await testHost.host.jobs.cancel('ada', jobId)
})
