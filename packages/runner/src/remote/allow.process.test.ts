import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLog } from '../port/log.ts'
import type { CallOutcome } from '../port/runner.ts'
import { openTestHost, testLocalRunner, welcome } from '../testing/host.ts'
import { type AllowPlugin, type OfferedPlugin, openGate } from './allow.ts'
import { connectRunner, type RemoteRunner } from './connect-runner.ts'
import { openPluginAnswers } from './plugin-answers.ts'

let host: Awaited<ReturnType<typeof openTestHost>>
let remote: RemoteRunner | undefined
beforeEach(async () => {
  host = await openTestHost()
})
afterEach(async () => {
  await remote?.close()
  await host.close()
})

const distribution = { type: 'npm', package_name: 'p' }
const named = { id: 'tool-p', version: '1', distribution }
const messages: Readonly<Record<string, object>> = {
  call: { type: 'call', invoke_id: 'inv_1', grace_ms: 0 },
  job: { type: 'job', job_id: 'tjob_1' },
  describe: { type: 'describe' },
  install: { type: 'install' },
}
const work = {
  id: 1,
  user_id: 'ada',
  tool: 'echo',
  timeout_ms: 5_000,
  left_ms: 5_000,
  max_result_bytes: 1_000,
}

/** Whether a machine begins what its host asks for, and what it answers where it does not. */
async function tried(type: string, author: string | undefined, allow?: AllowPlugin) {
  const begun: string[] = []
  const { runner } = testLocalRunner()
  const done = async (what: string): Promise<CallOutcome> => {
    begun.push(what)
    return { ok: true, payload: null, json: 'null', bytes: 4 }
  }
  remote = connectRunner({
    url: host.url,
    token: 'svcr_1',
    log: silentLog,
    installs: [],
    stateDir: null,
    runner: {
      ...runner,
      call: () => done('call'),
      job: () => done('job'),
      async describe() {
        begun.push('describe')
        return { ok: true, description: { name: 'p', tools: [] } }
      },
      async install() {
        begun.push('install')
        return { ok: true }
      },
    },
    ...(allow && { allow }),
  })
  const link = await host.link()
  await link.hear('hello')
  link.say(welcome)
  const plugin = author === undefined ? named : { ...named, author }
  // Only calls and jobs have a body.
  const args = type === 'call' || type === 'job' ? {} : undefined
  link.say({ ...work, ...messages[type], plugin }, args)
  const { head, body } = await link.hear('outcome')
  return { begun, ok: head.ok, said: body.length > 0 ? JSON.parse(body.toString()) : null }
}

const refused = {
  code: 'plug_unavailable',
  message: expect.stringMatching(/^tool-p is not allowed on this machine: it is by eve \(not verified\)/),
  details: { hint: expect.stringMatching(/svc runner --allow tool-p@[\da-f]{32}\. .*--allow tool-p\.$/) },
}
verifies.each('runner.allow')(Object.keys(messages).map((type) => [type]))(
  'a machine that was told nothing refuses a %s of a plugin of another before it begins',
  async (type) => {
    expect(await tried(type, 'eve')).toEqual({ begun: [], ok: false, said: refused })
  },
)
verifies.each('runner.allow')(Object.keys(messages).map((type) => [type]))(
  'it takes a %s of a plugin of its user',
  async (type) => {
    expect(await tried(type, 'ada')).toMatchObject({ begun: [type], ok: true })
  },
)
verifies.each('runner.allow')<[string, string | undefined, AllowPlugin | undefined, boolean]>([
  ['no author', undefined, undefined, false],
  ['a function that says yes', 'eve', () => true, true],
  ['one that says so later', 'eve', async ({ author }) => author === 'eve', true],
  ['one that says no to its own', 'ada', () => false, false],
  ['one that throws', 'ada', () => expect.fail('it throws'), false],
])('with %s: author %s', async (_, author, allow, ok) => {
  expect((await tried('call', author, allow)).ok).toBe(ok)
})

verifies('runner.allow', 'what is not decided in time is refused', async () => {
  const clock = frozenClock()
  const limits = { RUNNER_ALLOW_MS: 30_000 }
  const gate = openGate({
    userId: 'ada',
    clock,
    limits,
    log: silentLog,
    allow: () => new Promise<boolean>(() => {}),
  })
  const { signal } = new AbortController()
  const waits = gate({ ...named, author: 'eve' }, { waitMs: 60_000, signal })
  await clock.advance(30_000)
  expect(await waits).toMatchObject({
    ...refused,
    message: expect.stringContaining('nobody has answered'),
  })
})

const offered = (more: Partial<OfferedPlugin> = {}): OfferedPlugin => ({
  id: 'tool-p',
  version: '1',
  author: 'eve',
  isOwn: false,
  distribution,
  reach: undefined,
  digest: 'a',
  ...more,
})
it('keeps always for just these terms and never for each version, in a file of its user alone', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-answers-'))
  try {
    const place = { dir, token: 'svcr_1' }
    const first = await openPluginAnswers(place)
    await Promise.all([
      first.keep(offered(), 'always'),
      first.keep(offered({ digest: 'c' }), 'always'),
      first.keep(offered({ id: 'tool-q' }), 'always'),
      first.keep(offered({ id: 'tool-q' }), 'never'),
    ])
    const next = await openPluginAnswers(place)
    expect(next.of(offered())).toBe('always')
    expect(next.of(offered({ digest: 'c' }))).toBe('always')
    expect(next.of(offered({ digest: 'b' }))).toBeUndefined()
    // An id that is spelled like the terms of another.
    expect(next.of(offered({ id: `${offered().id}@a`, digest: 'b' }))).toBeUndefined()
    expect(next.of(offered({ id: 'tool-q' }))).toBe('never')
    expect(next.of(offered({ id: 'tool-q', digest: 'b' }))).toBe('never')
    expect((await openPluginAnswers({ dir, token: 'svcr_2' })).of(offered())).toBeUndefined()
    const [folder = ''] = readdirSync(path.join(dir, 'machines'))
    expect(statSync(path.join(dir, 'machines', folder, 'plugins.json')).mode & 0o777).toBe(0o600)
  } finally {
    rmSync(dir, { recursive: true })
  }
})
