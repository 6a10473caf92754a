import { gzipSync } from 'node:zlib'
import { tarOf, zipOf } from '@svc/conformance/testing/archives'
import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { API, html, manifest, ORIGIN, push, withApp } from '../../../testing/routes.ts'

describe('drafts', () => {
  const tar = tarOf(
    { name: 'manifest.json', body: JSON.stringify(manifest) },
    { name: 'index.html', body: html },
  )
  const zip = zipOf([
    { name: 'manifest.json', body: JSON.stringify(manifest) },
    { name: 'index.html', body: html },
  ])

  verifies.each('route.draft.push')([
    ['application/json', JSON.stringify(push)],
    ['application/x-tar', tar],
    ['application/gzip', gzipSync(tar)],
    ['application/zip', zip],
  ] as const)('the same draft as %s has the same digest', async (type, body) => {
    const { send, app_id, draft } = await withApp()
    const answer = await send(`${API}/apps/${app_id}/draft`, {
      method: 'PUT',
      body,
      headers: { 'content-type': type },
    })
    expect([answer.status, answer.json]).toEqual([200, draft])
    expect(draft).toEqual({
      version_id: expect.stringMatching(/^ver_/),
      version: '0.0.0-draft',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test.each([
    ['files as a list', []],
    ['files as text', 'x'],
    ['a file that is not text', { 'index.html': 7 }],
    ['base64 without padding', { 'index.html': 'YQ' }],
    ['base64 with a space', { 'index.html': 'YWFh YWFh' }],
    ['base64 with unused bits', { 'index.html': 'YR==' }],
    ['base64url', { 'index.html': '_-8=' }],
    ['a path that leads out', { '../x': '' }],
  ])('%s is refused', async (_what, files) => {
    const { send, app_id } = await withApp()
    const answer = await send(`${API}/apps/${app_id}/draft`, { method: 'PUT', body: { manifest, files } })
    expect([answer.status, answer.code]).toEqual([400, 'invalid_arg'])
  })

  verifies(
    'decision.draft.without_entry',
    'a manifest without files is taken; a window of it is not ready',
    async () => {
      const { send, app_id } = await withApp()
      expect((await send(`${API}/apps/${app_id}/draft`, { method: 'PUT', body: { manifest } })).status).toBe(
        200,
      )
      const answer = await send(`${API}/windows`, { method: 'POST', body: { app_id } })
      expect([answer.status, answer.code]).toEqual([409, 'bundle_not_ready'])
    },
  )

  verifies('route.release', 'a release answers its version, twice is 409', async () => {
    const { send, app_id } = await withApp()
    const body = { version: '1.0.0' }
    const first = await send(`${API}/apps/${app_id}/releases`, { method: 'POST', body })
    expect([first.status, first.json]).toEqual([
      200,
      { version_id: expect.stringMatching(/^ver_/), version: '1.0.0', pins: {} },
    ])
    const again = await send(`${API}/apps/${app_id}/releases`, { method: 'POST', body })
    expect([again.status, again.code]).toEqual([409, 'conflict'])
  })
})

verifies('kept.one_push', 'a second push of a user is not read before the first one is done', async () => {
  const { routes, app_id, login } = await withApp()
  const first = new TransformStream<Uint8Array, Uint8Array>()
  const writer = first.writable.getWriter()
  const url = `${ORIGIN}${API}/apps/${app_id}/draft`
  const headers = {
    cookie: await login('ada'),
    origin: ORIGIN,
    host: '127.0.0.1:8787',
    'content-type': 'application/json',
  }
  let asked = false
  const later = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        asked = true
        controller.enqueue(Buffer.from(JSON.stringify(push)))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const put = (body: ReadableStream<Uint8Array>) =>
    routes.fetch(new Request(url, { method: 'PUT', headers, body, duplex: 'half' } as RequestInit))
  const [one, two] = [put(first.readable), put(later)]
  await writer.write(Buffer.from(JSON.stringify(push)))
  expect(asked).toBe(false)
  await writer.close()
  expect([(await one).status, (await two).status, asked]).toEqual([200, 200, true])
})
