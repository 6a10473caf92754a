import { openTestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { base64, openFiles } from '../../testing/files-host.ts'

verifies(
  'files.write.cap',
  'a file of 4 MiB goes through the gateway, and one byte more is refused',
  async () => {
    const { call } = await openFiles()
    const whole = Buffer.alloc(limits.APP_FILE_MAX_BYTES, 'a')
    expect(whole).toHaveLength(4_194_304)
    expect(await call('write', { path: 'f', bytes_b64: base64(whole) })).toMatchObject({ generation: 1 })
    expect((await call('read', { path: 'f', as: 'text' })).text).toHaveLength(whole.length)
    const over = Buffer.alloc(whole.length + 1, 'a')
    const sentence = `must hold at most ${whole.length} bytes, got ${over.length}`
    expect(await call('write', { path: 'f', bytes_b64: base64(over) })).toBe(
      `invalid_arg: bytes_b64 ${sentence}`,
    )
    expect(await call('write', { path: 'f', text: String(over) })).toBe(`invalid_arg: text ${sentence}`)
  },
)

verifies('upload.inline.cap', 'an upload of 4 MiB of bytes fits through the gateway', async () => {
  const services = await openTestHost({
    manifest: { host_api: { upload: ['*'] } },
    grants: { upload_grant: true },
  })
  const window = await services.openWindow()
  const bytes_b64 = Buffer.alloc(4_194_304).toString('base64')
  const args = { bytes_b64, mime: 'application/octet-stream', purpose: 'cap' }
  expect(await window.call('upload', 'inline', args)).toMatchObject({ ok: true })
  await services.close()
})
