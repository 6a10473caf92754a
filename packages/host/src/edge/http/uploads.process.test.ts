import { connect } from 'node:net'
import { openTestHost, type TestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { afterEach, expect, it } from 'vitest'

let services: TestHost
afterEach(() => services.close())

/** A host that listens, and room for an upload of so many bytes. */
async function opened(size_bytes: number) {
  services = await openTestHost({ manifest: { host_api: { upload: ['*'] } }, grants: { upload_grant: true } })
  const { url, port } = await services.host.listen(0)
  const window = await services.openWindow()
  const call = async (method: string, args: unknown) => {
    const answer = await window.call('upload', method, args)
    if (!answer.ok) throw new Error(answer.error.message)
    return answer.result as Record<string, string>
  }
  const mime = 'application/octet-stream'
  const { upload_url = '', file_ref = '' } = await call('negotiate', { mime, purpose: 'test', size_bytes })
  const at = new URL(upload_url)
  const target = at.pathname + at.search
  return { port, target, put: new URL(target, url).href, files: new URL('/', url).href, file_ref, call }
}

verifies(['route.uploads', 'route.files'], 'a connection carries 20 MiB in and out again', async () => {
  const bytes = Buffer.alloc(limits.UPLOAD_MAX_BYTES, 'svc')
  const { put, files, file_ref, call } = await opened(bytes.length)
  const sent = await fetch(put, { method: 'PUT', body: bytes })
  expect([sent.status, await sent.json()]).toEqual([200, { file_ref, size_bytes: bytes.length }])
  const { url = '' } = await call('confirm', { file_ref })
  const read = await fetch(new URL(new URL(url).pathname, files))
  expect(Buffer.compare(Buffer.from(await read.arrayBuffer()), bytes)).toBe(0)
})

it('a body whose length nobody told is counted', async () => {
  const { put } = await opened(5)
  const stream = (text: string) =>
    fetch(put, { method: 'PUT', body: new Blob([text]).stream(), duplex: 'half' } as RequestInit)
  expect((await stream('bytes!')).status).toBe(413)
  expect((await stream('bytes')).status).toBe(200)
})

verifies(
  'decision.upload.refused_stays_open',
  'a connection that breaks in mid-body takes nothing and holds nothing',
  async () => {
    const { port, target, put } = await opened(5)
    const socket = connect(port, '127.0.0.1')
    const head = `PUT ${target} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: 5\r\n\r\n`
    await new Promise<void>((done) => socket.write(`${head}by`, () => done()))
    // Its body is under way as soon as another one is told so.
    const other = () =>
      fetch(put, { method: 'PUT', body: Buffer.from('bytes!') }).then(({ status }) => status)
    await expect.poll(other).toBe(409)
    socket.destroy()
    await expect.poll(other).toBe(413)
    expect((await fetch(put, { method: 'PUT', body: Buffer.from('bytes') })).status).toBe(200)
  },
)
