import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
} from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { createRunner } from '@svc/runner'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** A plugin in a dozen lines whose tool `where` answers the mark that it was written with. */
const program = (mark: string, tool = 'where') => `#!/usr/bin/env node
const answers = {
  describe: () => ({ name: 'tiny', tools: [{ name: '${tool}', description: '${mark}', parameters: [{ name: 'city', type: 'string' }] }] }),
  call: ({ args }) => ({ output: { mark: '${mark}', args } }),
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (answers[method]) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) }))
})
`
const PATIENT = { timeout: 10_000, interval: 25 }

let folder: string
let services: TestHost | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-published-'))
})
afterEach(async () => {
  await services?.close()
  services = undefined
  rmSync(folder, { recursive: true, force: true })
})

/** A distribution of this machine: a program with a mark. */
function local(mark: string, tool?: string) {
  const path = join(folder, mark)
  writeFileSync(path, program(mark, tool), { mode: 0o755 })
  return { type: 'local', path } as const
}

/** A host whose own runner it makes and closes, and what a user sends to its publishing routes. */
async function open(options: TestHostOptions = {}) {
  services = await openTestHost({ ...options, runner: undefined } as unknown as TestHostOptions)
  const at = services
  const cookie = await at.signIn('ada')
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await at.request(`/plugs/my${path}`, {
      method,
      cookie,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
    return { status: response.status, json: (await response.json()) as any }
  }
  const release = async (version: string) => {
    const sent = { method: 'POST', cookie, body: JSON.stringify({ version }) }
    const answer = await at.request(`/api/v1/svc-apps/apps/${at.appId}/releases`, sent)
    return answer.json()
  }
  return { services: at, cookie, send, release }
}

const invoke = async (window: TestWindow, tool_id: string, args: object = {}, method = 'where') => {
  const answer = await window.call('tools', 'invoke', { tool_id, method, args })
  return answer.ok ? answer.result : answer.error.code
}
const list = async (window: TestWindow) => {
  const answer = await window.call('tools', 'list')
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.result.tools as { readonly status: string; readonly description: string }[]
}
const statuses = async (window: TestWindow) => (await list(window)).map(({ status }) => status)

verifies(
  ['plug.manifest.described', 'tools.status.deployed', 'version.pinned', 'decision.version.yanked_runs'],
  'what a user publishes is described, installed, listed and called; a release keeps its version',
  async () => {
    const { services, send, release } = await open()
    const draft = (await send('POST', '/drafts', { name: 'Tiny', type: 'tool' })).json
    const one = local('one')
    expect((await send('POST', '/describe', { distribution: one })).json).toEqual({
      manifest: {
        name: 'tiny',
        tools: [{ name: 'where', description: 'one', parameters: [{ name: 'city', type: 'string' }] }],
      },
    })
    const made = await send('POST', `/drafts/${draft.draft_id}/commit`, {
      distribution: one,
      visibility: 'public',
    })
    expect(made).toMatchObject({ status: 200, json: { tool_id: draft.tool_id, version: '1.0.0' } })
    const toolId = draft.tool_id as string

    await services.pushDraft({ required_plugs: [toolId] })
    const window = await services.openWindow()
    expect(['deploying', 'available']).toContain((await statuses(window))[0])
    await expect.poll(() => statuses(window), PATIENT).toEqual(['available'])
    expect(await list(window)).toMatchObject([
      { tool_id: toolId, plugin_name: 'Tiny', input_schema: { properties: { city: { type: 'string' } } } },
    ])
    expect(await invoke(window, toolId, { city: 'Delft' })).toEqual({ mark: 'one', args: { city: 'Delft' } })
    expect((await send('GET', `/tools/${toolId}`)).json).toMatchObject({ status: 'available', problem: null })

    expect(await release('1.0.0')).toMatchObject({ pins: { [toolId]: '1.0.0' } })
    expect(await send('POST', `/tools/${toolId}/versions`, { distribution: local('two') })).toMatchObject({
      json: { version: '1.0.1' },
    })
    expect(await invoke(window, toolId)).toMatchObject({ mark: 'two' })
    await send('PATCH', `/tools/${toolId}/versions/1.0.0`, { status: 'yanked' })

    const bob = await services.signIn('bob')
    await services.host.apps.install('bob', {
      app_id: services.appId,
      version: '1.0.0',
      grants: { plugs: [{ tool_id: toolId, version: '1.0.0' }] },
    })
    const bobs = await services.openWindow(undefined, undefined, bob)
    expect(await invoke(bobs, toolId)).toMatchObject({ mark: 'one' })
    await send('DELETE', `/tools/${toolId}`)
    expect(await invoke(bobs, toolId)).toBe('agent_unavailable')
    expect(await list(window)).toEqual([])
  },
)

test('a job of a published plugin is done by the runner that has it', async () => {
  const { services, send } = await open()
  const { tool_id } = (
    await send('POST', '/tools', { name: 'Tiny', type: 'tool', distribution: local('one') })
  ).json
  await services.pushDraft({ required_plugs: [tool_id] })
  const window = await services.openWindow()
  const accepted = await window.call('tools', 'invokeAsync', { tool_id, method: 'where' })
  if (!accepted.ok) throw new Error(accepted.error.message)
  const job = async () => {
    const answer = await window.call('tools', 'getJob', { jobId: accepted.result.jobId })
    return answer.ok ? [answer.result.state, answer.result.result] : answer.error.code
  }
  await expect.poll(job, PATIENT).toEqual(['succeeded', { mark: 'one', args: {} }])
})

test('an edit of where it comes from is what the next call runs', async () => {
  const { services, send } = await open()
  const { tool_id } = (
    await send('POST', '/tools', { name: 'Tiny', type: 'tool', distribution: local('one') })
  ).json
  await services.pushDraft({ required_plugs: [tool_id] })
  const window = await services.openWindow()
  expect(await invoke(window, tool_id)).toMatchObject({ mark: 'one' })
  await send('PATCH', `/tools/${tool_id}`, { distribution: local('two') })
  expect(await invoke(window, tool_id)).toMatchObject({ mark: 'two' })
})

test('a tool that the process lost is told, and what cannot be installed is unavailable with the reason', async () => {
  const { send } = await open()
  const { manifest } = (await send('POST', '/describe', { distribution: local('one') })).json
  const body = { name: 'Tiny', type: 'tool', manifest }
  const standing = async (distribution: object) => {
    const { tool_id } = (await send('POST', '/tools', { ...body, distribution })).json
    const read = async () => {
      const { status, problem } = (await send('GET', `/tools/${tool_id}`)).json
      return [status, problem]
    }
    await expect.poll(async () => (await read())[0], PATIENT).not.toBe('deploying')
    return read()
  }
  expect(await standing(local('lost', 'elsewhere'))).toEqual([
    'available',
    'its process does not have these tools of its manifest: where',
  ])
  expect(await standing({ type: 'local', path: join(folder, 'nothing') })).toEqual([
    'unavailable',
    expect.stringContaining('is not there'),
  ])
})

verifies.each('plug.install.fault')([
  ['nothing', 'path_missing', () => {}],
  ['folder', 'path_is_folder', (path: string) => mkdirSync(path)],
  ['pipe', 'path_not_a_file', (path: string) => void execFileSync('mkfifo', [path])],
  ['link', 'path_is_link', (path: string) => symlinkSync(process.execPath, path)],
  ['broken.tgz', 'archive_refused', (path: string) => writeFileSync(path, 'not gzip')],
])('a describe, a commit and a creation of a path to %s are %s', async (name, reason, make) => {
  const { send } = await open()
  const path = join(folder, name)
  make(path)
  const distribution = { type: 'local', path }
  const { draft_id } = (await send('POST', '/drafts', { name: 'Tiny', type: 'tool' })).json
  const refused = await Promise.all([
    send('POST', '/describe', { distribution }),
    send('POST', `/drafts/${draft_id}/commit`, { distribution }),
    send('POST', '/tools', { name: 'Tiny', type: 'tool', distribution }),
  ])
  for (const one of refused)
    expect(one).toMatchObject({ status: 400, json: { error: { code: 'invalid_arg', details: { reason } } } })
})

verifies(
  'wall.enrolled',
  'outside the harness the runner of the host starts nothing that users publish',
  async () => {
    const runner = createRunner()
    try {
      services = await openTestHost({ harness: false, signIn: 'dev', runner })
      const { host, appId } = services
      const manifest = { name: 'tiny', tools: [{ name: 'where' }] }
      const plug = { name: 'Tiny', type: 'tool', manifest, distribution: local('one') }
      const { tool_id } = await host.publishing.create('ada', plug)
      await services.pushDraft({ required_plugs: [tool_id] })
      const window = await services.openWindow()
      expect(await statuses(window)).toEqual(['unavailable'])
      expect(await invoke(window, tool_id)).toBe('agent_unavailable')
      await host.apps.release('ada', appId, '1.0.0')
      expect(runner.stats().processes).toBe(0)
    } finally {
      await services?.close()
      await runner.close()
    }
  },
)
