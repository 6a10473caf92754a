import path from 'node:path'
import { cutEvents } from '@svc/conformance/testing/cut-events'
import { behaviours } from '@svc/conformance/testing/fake-provider'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runSvc } from './testing/cli.ts'
import { type HttpUser, openHttpUser } from './testing/http-user.ts'
import { type KeptHost, startKeptHost } from './testing/kept-host.ts'

/** Each start is a process that reads its modules. */
const RESTART_MS = 120_000
const PATIENT = { timeout: 20_000, interval: 50 }
/** More jobs than the runner has places for. */
const JOBS = 5

interface JobState {
  readonly state: string
  readonly error?: { readonly code: string }
  readonly result?: { readonly walked: string }
}

let kept: KeptHost
let ada: HttpUser
beforeEach(async () => {
  kept = await startKeptHost()
  ada = await openHttpUser(kept.url, 'ada')
}, RESTART_MS)
afterEach(() => kept.close())

async function restart(): Promise<void> {
  await kept.kill()
  await kept.start()
}

verifies(
  'data.kept.restart',
  'a host that was killed has its windows, sign-ins, tokens, values, uploads and sessions again',
  async () => {
    const { etag } = await ada.result<{ etag: string }>('storage', 'set', {
      key: 'note',
      value: { text: 'kept' },
    })
    const bytes_b64 = Buffer.from('a,b\n').toString('base64')
    const { url } = await ada.result<{ url: string }>('upload', 'inline', {
      bytes_b64,
      mime: 'text/csv',
      purpose: 'test',
    })
    const at = await ada.result<{ app_session_uuid: string }>('agent', 'session.create', { submode: 'auto' })
    kept.provider.behave(behaviours.answers(['It ', 'is kept']))
    const asked = { app_session_uuid: at.app_session_uuid, content: 'Is it kept?' }
    await ada.result('agent', 'session.run', asked)
    const history = () =>
      ada.result<{ messages: { content: string }[] }>('agent', 'session.history', {
        app_session_uuid: at.app_session_uuid,
      })
    await expect.poll(async () => (await history()).messages.at(-1)?.content, PATIENT).toBe('It is kept')

    await restart()
    expect(await ada.call('storage', 'get', { key: 'note' })).toMatchObject({
      ok: true,
      result: { value: { text: 'kept' }, etag },
    })
    expect(await (await fetch(url)).text()).toBe('a,b\n')
    expect((await history()).messages.map(({ content }) => content)).toEqual(['Is it kept?', 'It is kept'])
    expect(await (await ada.ask('/api/v1/auth/whoami')).json()).toEqual({ user_id: 'ada' })
    // And it works on: the plugin is there, and so is the session.
    kept.letJobsEnd()
    expect(
      await ada.result('tools', 'invoke', { tool_id: 'steps', method: 'walk', args: { n: '1' } }),
    ).toEqual({
      walked: '1',
    })
    await ada.result('agent', 'session.run', asked)
  },
  RESTART_MS,
)

verifies(
  'data.kept.runs',
  'a run that was under way has its text so far, an error frame and its end, and the page hears of each once',
  async () => {
    const words = Array.from({ length: 2_000 }, (_, at) => `w${at} `)
    kept.provider.behave(behaviours.recites(words, 10))
    const page = cutEvents(kept.port, ada.cookie, `windows=${ada.windowUuid}&jobs=1`)
    await page.begin()
    const { app_session_uuid } = await ada.result<{ app_session_uuid: string }>('agent', 'session.create', {
      submode: 'auto',
    })
    const { run_id } = await ada.result<{ run_id: string }>('agent', 'session.run', {
      app_session_uuid,
      content: 'Go on.',
    })
    while (page.frames.length < 30) await page.connect(1_000_000, 500)
    const seen = page.frames.length

    await restart()
    while (!page.frames.at(-1)?.done) await page.connect(1_000_000, 500)
    const events = page.frames.map(({ payload }) => payload.event)
    expect(page.frames.length).toBeGreaterThanOrEqual(seen + 2)
    expect(events.slice(-2)).toEqual(['error', 'end'])
    expect(events.filter((event) => event === 'end' || event === 'error')).toHaveLength(2)
    expect([page.strays, page.resets]).toEqual([[], 0])
    // Whoever reads the run from its beginning gets the same.
    const later = cutEvents(kept.port, ada.cookie, `windows=${ada.windowUuid}`)
    await later.begin()
    await ada.result('agent', 'session.attach', { app_session_uuid, run_id, after_seq: 0 })
    while (!later.frames.at(-1)?.done) await later.connect(1_000_000, 500)
    expect(later.frames).toEqual(page.frames)
    expect(kept.provider.requests).toHaveLength(1)
  },
  RESTART_MS,
)

verifies(
  'data.kept.jobs',
  'a job that ran has failed, one that waited runs, and none is started twice',
  async () => {
    const page = cutEvents(kept.port, ada.cookie, `windows=${ada.windowUuid}`)
    await page.begin()
    const ids: string[] = []
    for (let n = 0; n < JOBS; n++) {
      const args = { tool_id: 'steps', method: 'walk', args: { n: `${n}` } }
      ids.push((await ada.result<{ jobId: string }>('tools', 'invokeAsync', args)).jobId)
    }
    const read = (jobId: string) => ada.result<JobState>('tools', 'getJob', { jobId })
    const states = async () => (await Promise.all(ids.map(read))).map(({ state }) => state)
    await expect.poll(states, PATIENT).toEqual(['running', 'running', 'running', 'queued', 'queued'])
    await expect.poll(() => kept.calls().length, PATIENT).toBe(3)

    await kept.kill()
    kept.letJobsEnd()
    await kept.start()
    await expect.poll(states, PATIENT).toEqual(['failed', 'failed', 'failed', 'succeeded', 'succeeded'])
    expect([...kept.calls()].sort()).toEqual(['0', '1', '2', '3', '4'])
    const jobs = await Promise.all(ids.map(read))
    expect(jobs[0]?.error?.code).toBe('agent_unavailable')
    expect(jobs[4]?.result).toEqual({ walked: '4' })
    const ended = () =>
      page.heard
        .map((text) => JSON.parse(text) as { job_id?: string; terminal?: boolean })
        .filter((one) => one.terminal)
    while (ended().length < JOBS) await page.connect(1_000_000, 500)
    expect(
      ended()
        .map(({ job_id }) => job_id)
        .sort(),
    ).toEqual([...ids].sort())
    expect(page.resets).toBe(0)
  },
  RESTART_MS,
)

it('knows a machine that was enrolled, and a plugin that was published', {
  timeout: RESTART_MS,
}, async () => {
  const enrolled = await ada.ask('/api/v1/svc-apps/runners', {
    method: 'POST',
    body: JSON.stringify({ name: 'desk' }),
  })
  expect(enrolled.status).toBe(200)
  const args = ['plug', 'publish', '--host', kept.url, '--user', 'ada']
  expect(await runSvc(args, { cwd: path.join(kept.dir, 'plug') })).toMatchObject({ code: 0 })
  const known = () =>
    Promise.all(
      ['/api/v1/svc-apps/runners', '/plugs/my/tools'].map(async (route) => (await ada.ask(route)).json()),
    )
  const before = await known()
  expect(JSON.stringify(before)).toMatch(/"desk".*"tool-ada-stairs-/)
  await restart()
  expect(await known()).toEqual(before)
})
