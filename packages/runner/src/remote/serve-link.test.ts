import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { frozenClock } from '@svc/node/testing'
import { expect } from 'vitest'
import type { LocalRunner } from '../calls/local-runner.ts'
import type { HostMessage } from '../link/index.ts'
import { readHostMessage } from './read-message.ts'
import { serveLink } from './serve-link.ts'

const call: HostMessage = {
  type: 'call',
  id: 1,
  invoke_id: 'inv_1',
  grace_ms: 0,
  user_id: 'ada',
  plugin: { id: 'p', version: '1', distribution: { type: 'local', path: '/p' } },
  tool: 'look',
  timeout_ms: 1_000,
  left_ms: 1_000,
  max_result_bytes: 100,
}

/** A link whose runner answers each call, and notes what it was told. */
function openBed() {
  const told: unknown[] = []
  const runner = {
    async call({ appId, session }: { appId?: string; session?: string }) {
      told.push({ appId, session })
      return { ok: true, payload: 1, json: '1', bytes: 1 }
    },
    endSessions: (which: object) => void told.push(which),
    async departed() {},
  } as unknown as LocalRunner
  const link = serveLink({
    clock: frozenClock(),
    limits,
    runner,
    gate: async () => null,
    send: () => ({ drop: () => false }) as never,
    waitingBytes: () => 0,
  })
  const take = (message: object) => {
    const read = readHostMessage(message as never)
    if (read) link.take(read, Buffer.from('{}'))
  }
  return { told, link, take }
}

verifies('plugin.session.ends', 'a machine ends what sessions kept on a link with that link', async () => {
  const { told, link, take } = openBed()
  take({ ...call, app_id: 'a', session: 'window w' })
  take({ ...call, id: 2, app_id: 'a', session: 'window x' })
  // An older host says neither.
  take({ ...call, id: 3 })
  take({ type: 'end_sessions', user_id: 'ada', session: 'window w' })
  take({ type: 'end_sessions', user_id: 'ada', plugin_id: 'p' })
  take({ type: 'end_sessions', user_id: 7 })
  await link.end('the link is lost')
  expect(told).toEqual([
    { userId: 'ada', session: 'window w' },
    { userId: 'ada', pluginId: 'p' },
    { appId: 'a', session: 'window w' },
    { appId: 'a', session: 'window x' },
    {},
    { userId: 'ada', session: 'window x' },
  ])
})
