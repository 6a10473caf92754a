import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createHost } from '@svc/host'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { verifies } from './verifies.ts'

const ORIGIN = 'http://127.0.0.1:8787'

/** An executable plugin that leaves a file where it was started, and the path of that file. */
function script() {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-published-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const [file, trace] = [path.join(dir, 'plugin'), path.join(dir, 'trace')]
  const text = `#!/usr/bin/env node
require('node:fs').writeFileSync(${JSON.stringify(trace)}, '')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const result = method === 'describe' ? { name: 'p', tools: [{ name: 'do', parameters: [] }] } : { output: 'done' }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})`
  writeFileSync(file, text, { mode: 0o755 })
  return { file, trace }
}

verifies.each('wall.enrolled')([
  ['a host for development starts it itself', true, 'ok', true],
  ['any other leaves it to the machines of its user', false, 'agent_unavailable', false],
])('what a user published: %s', async (_name, harness, outcome, started) => {
  const { file, trace } = script()
  const host = createHost({ harness, authenticate: () => ({ id: 'ada' }), logger: pino({ level: 'silent' }) })
  onTestFinished(() => host.close())
  const { tool_id } = await host.publishing.create('ada', {
    ...{ name: 'P', type: 'tool', distribution: { type: 'local', path: file } },
    manifest: { name: 'p', version: '1.0.0', tools: [{ name: 'do', parameters: [] }] },
  })
  const { app_id } = await host.apps.register('ada', { slug: 'app', name: 'App' })
  const ui = { bundle: { entry: 'index.html' }, views: [{ name: 'main' }] }
  const { version } = await host.apps.pushDraft('ada', app_id, {
    manifest: { schema: 3, name: 'App', ui, required_plugs: [tool_id] },
    files: new Map([['index.html', Buffer.from('<p>')]]),
  })
  await host.apps.install('ada', { app_id, version })
  const { window_uuid, token } = await host.windows.open('ada', { app_id })
  const call = { id: '1', window_uuid, ns: 'tools', method: 'invoke', args: { tool_id, method: 'do' } }
  const response = await host.fetch(
    new Request(`${ORIGIN}/api/v1/svc-apps/runtime/rpc`, {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': 'application/json', 'x-svc-app-token': token },
      body: JSON.stringify(call),
    }),
  )
  const answer = (await response.json()) as { ok: boolean; error?: { code: string } }
  expect(answer.ok ? 'ok' : answer.error?.code).toBe(outcome)
  expect(existsSync(trace)).toBe(started)
})
