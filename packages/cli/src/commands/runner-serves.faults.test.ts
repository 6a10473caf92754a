import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import { openTestHost, type TestHost } from '@svc/conformance/testing/host'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSvc, startSvc } from '../testing/cli.ts'

const example = path.join(import.meta.dirname, '../../../../examples/plugin-python')
let dir = ''
let testHost: TestHost
let url = ''
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-serves-'))
  for (const file of ['plugin.py', 'README.md', 'svc.plug.json'])
    copyFileSync(path.join(example, file), path.join(dir, file))
  chmodSync(path.join(dir, 'plugin.py'), 0o755)
  testHost = await openTestHost({ harness: true, startToken: TEST_START_TOKEN, runner: null })
  ;({ url } = await testHost.host.listen(0))
})
afterAll(async () => {
  await testHost.close()
  rmSync(dir, { recursive: true, force: true })
})

it('runs what svc plug publish published on the machine of svc runner, and nowhere when that is gone', async () => {
  const cookie = await testHost.signIn('ada')
  const published = await runSvc(['plug', 'publish', '--json', '--host', url, '--user', 'ada'], { cwd: dir })
  const { tool_id } = JSON.parse(published.out) as { tool_id: string }
  expect(JSON.parse(readFileSync(path.join(dir, 'svc.plug.json'), 'utf8'))).toMatchObject({ tool_id })

  await testHost.pushDraft({ required_plugs: [tool_id], host_api: { tools: [tool_id] } })
  const enrolled = await testHost.request('/api/v1/svc-apps/runners', {
    method: 'POST',
    body: JSON.stringify({ name: 'desk' }),
    cookie,
  })
  const { token } = (await enrolled.json()) as { token: string }
  writeFileSync(path.join(dir, 'token'), token, { mode: 0o600 })
  const machine = startSvc(['runner', '--host', url, '--token-file', 'token', '--dir', 'installs'], {
    cwd: dir,
  })
  await machine.sees('online as desk')

  const window = await testHost.openWindow()
  const args = { tool_id, method: 'compare_texts', args: { before: 'a', after: 'b' } }
  const compared = { same: 0, removed: [{ line: 1, text: 'a' }], added: [{ line: 1, text: 'b' }] }
  expect(await window.call('tools', 'invoke', args)).toMatchObject({ result: compared })

  machine.child.kill('SIGTERM')
  expect(await machine.ended).toMatchObject({ code: 0, err: '' })
  expect(await window.call('tools', 'invoke', args)).toMatchObject({ error: { code: 'agent_unavailable' } })
})
