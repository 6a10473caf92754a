import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openTestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import type { Attachment } from '@svc/contract'
import { expect, vi } from 'vitest'
import { pictures } from '../../testing/files.ts'
import { sayingModel } from '../../testing/run-model.ts'

const ANSWERS_MS = 5_000
const host_api = { agent: { session: { auto: true } } }

/** A host that may fetch from a server of this machine, a model that sees, and a session. */
async function openTalkHost() {
  let fetched = 0
  const server = createServer((_req, res) => {
    fetched += 1
    res.end(pictures['image/png'])
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const { model, talks } = sayingModel('A picture.')
  const services = await openTestHost({
    allowLoopback: [`img.test:${port}`],
    models: { default: { model, vision: true } },
    manifest: { host_api },
  })
  const window = await services.openWindow()
  const created = await window.call('agent', 'session.create', { submode: 'auto' })
  if (!created.ok) throw new Error(created.error.message)
  const { app_session_uuid } = created.result as { app_session_uuid: string }
  return {
    port,
    talks,
    fetched: () => fetched,
    run: (...attachments: Attachment[]) =>
      window.call('agent', 'session.run', { app_session_uuid, content: 'Look.', attachments }),
    async close() {
      await services.close()
      await new Promise((done) => server.close(done))
    },
  }
}

verifies(
  'decision.urls.loopback',
  'a model is given the bytes of an image of a named server of this machine',
  async () => {
    const { port, talks, run, close } = await openTalkHost()
    const sent = await run(
      { type: 'image/png', url: `http://img.test:${port}/a.png` },
      { type: 'image/gif', data: pictures['image/gif'].toString('base64') },
    )
    expect(sent.ok).toBe(true)
    await vi.waitUntil(() => talks.length === 1, ANSWERS_MS)
    const asked = JSON.stringify(talks[0]?.options.prompt.at(-1))
    expect(asked).toContain('image/png')
    expect(asked).toContain('image/gif')
    expect(asked).not.toContain('img.test')
    await close()
  },
)

verifies(
  'run.attachments.private',
  'a run with an image on a private host is not accepted, nor is another one of this machine',
  async () => {
    const { port, fetched, talks, run, close } = await openTalkHost()
    for (const url of [
      `http://127.0.0.1:${port}/`,
      'https://10.0.0.1/',
      'https://localhost/',
      'http://img.test/',
    ])
      expect(await run({ type: 'image/png', url })).toMatchObject({
        ok: false,
        error: { code: 'invalid_arg', message: expect.stringMatching(/^attachments\.0\.url must/) },
      })
    expect([fetched(), talks.length]).toEqual([0, 0])
    await close()
  },
)
