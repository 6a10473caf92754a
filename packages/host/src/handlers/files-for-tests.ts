import { openTestHost, type TestHostOptions, type TestWindow } from '@svc/conformance/test-host'
import type { RpcResponse } from '@svc/contract'
import { afterEach } from 'vitest'
import { digestOf } from '../blobs/digest.ts'
import { memoryBlobs } from '../blobs/drivers/memory.ts'
import { frozenClock } from '../clock-frozen.ts'

export const NOW = Date.UTC(2030, 0, 1)
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** What a call answers, or its code and sentence. */
const said = (answer: RpcResponse) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into results of every shape.
  answer.ok ? (answer.result as any) : `${answer.error.code}: ${answer.error.message}`
/** The code alone. */
export const codeOf = (answer: unknown) => (typeof answer === 'string' ? answer.split(':')[0] : 'ok')
export const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64')
/** Calls of `files.*` in a window. */
export const calls =
  (window: TestWindow) =>
  async (method: string, args: unknown = {}) =>
    said(await window.call('files', method, args))

/** A host with an app that may keep files, and calls in a window of it; closed after the test. */
export async function openFiles(options: TestHostOptions = {}) {
  const blobs = memoryBlobs()
  const clock = frozenClock(NOW)
  const manifest = { host_api: { files: ['*'] } }
  const house = await openTestHost({ manifest, blobs, clock, ...options })
  closers.push(() => house.close())
  const has = async (text: string) => (await blobs.get(digestOf(Buffer.from(text)))) !== null
  return { house, clock, has, call: calls(await house.openWindow()) }
}
