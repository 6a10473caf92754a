import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import type { Limits } from '@svc/contract/limits'
import { afterEach, beforeEach, expect } from 'vitest'
import { silentLog } from '../port/log.ts'
import { openTestHost, testLocalRunner, welcome } from '../testing/host.ts'
import { connectRunner, type RemoteRunner, type RemoteState } from './connect-runner.ts'

let host: Awaited<ReturnType<typeof openTestHost>>
let remote: RemoteRunner | undefined
let stateDir = ''
const states: RemoteState[] = []
beforeEach(async () => {
  states.length = 0
  stateDir = mkdtempSync(path.join(tmpdir(), 'svc-rotation-'))
  host = await openTestHost()
})
afterEach(async () => {
  await remote?.close()
  await host.close()
  rmSync(stateDir, { recursive: true })
})

async function connect(limits: Partial<Limits> = {}) {
  remote = connectRunner({
    url: host.url,
    token: 'svcr_1',
    runner: testLocalRunner().runner,
    log: silentLog,
    stateDir,
    limits: { RUNNER_RETRY_MS: 20, RUNNER_RETRY_MAX_MS: 40, ...limits },
    onState: (state) => void states.push(state),
  })
  return host.link()
}
const named = (code: string) => states.filter(({ state }) => state === code)
const folder = () => path.join(stateDir, 'machines', readdirSync(path.join(stateDir, 'machines'))[0] ?? '')

verifies('link.token.rotates', 'shows the token that the last link brought, once it is stored', async () => {
  const first = await connect()
  await first.hear('hello')
  first.say(welcome)
  await first.hear('kept')
  expect(readdirSync(folder()).sort()).toEqual(['key.pem', 'token-1'])
  first.ws.terminate()
  expect((await host.link()).token).toBe('Bearer svcr_2')
})

verifies('link.token.kept', 'shows the token that it has where the next cannot be stored', async () => {
  const first = await connect()
  await first.hear('hello')
  // A folder is where the file belongs, whoever runs this test.
  mkdirSync(path.join(folder(), 'token-1', 'x'), { recursive: true })
  first.say(welcome)
  await expect.poll(() => named('online').length).toBe(1)
  first.ws.terminate()
  expect((await host.link()).token).toBe('Bearer svcr_1')
})

verifies('link.version', 'says of a host that sends no challenge that it may be older', async () => {
  host.state.challenges = false
  await connect({ RUNNER_HELLO_MS: 50 })
  await expect
    .poll(() => named('waiting')[0])
    .toMatchObject({ problem: expect.stringContaining('may be older') })
})
