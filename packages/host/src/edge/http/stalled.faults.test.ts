import { listening, statuses } from '@svc/conformance/raw-http'
import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { afterAll, beforeAll, expect, test } from 'vitest'

const READER_STALLED_MS = 1_000
let services: ToolHost
let at: Awaited<ReturnType<typeof listening>>

beforeAll(async () => {
  services = await openToolHost({ limits: { READER_STALLED_MS } })
  at = await listening(services, services.window)
})
afterAll(() => services.close())

const sized = (id: string) =>
  JSON.stringify({
    id,
    window_uuid: services.window.windowUuid,
    ns: 'tools',
    method: 'invoke',
    args: { tool_id: 'odd.size', args: { bytes: 4_194_304 } },
  })
/** They wait for the most part. */
const beside = { concurrent: true }
const after = (ms: number) => new Promise((done) => setTimeout(done, ms))

test.each([
  // The kernel may hold one answer of 4 MiB, and three it does not.
  ['answers', () => sized('1'), 3],
  ['the lines of an array', () => `[${[1, 2, 3, 4].map((id) => sized(`${id}`)).join()}]`, 1],
])('who does not read %s is cut off, and who reads slowly is not', beside, async (_name, bodyOf, times) => {
  const body = bodyOf()
  const text = at.head({ 'content-length': String(body.length) }) + body
  const [stalled, slow] = [at.open(), at.open()]
  stalled.rest()
  stalled.write(text.repeat(times))
  slow.write(text)
  for (let n = 0; n < 20; n++) {
    slow.rest()
    await after(100)
    slow.go()
    await after(10)
  }
  expect(statuses(await slow.until(/\}\}\n?(\r\n0\r\n\r\n)?$/))).toEqual([200])
  slow.end()
  // The other one has as much waiting by now.
  await after(2 * READER_STALLED_MS)
  // What the kernel still holds may be read; the end of the answer is not among it.
  stalled.go()
  const said = await stalled.until(/never/)
  expect(said.length).toBeLessThan(times * slow.said.length)
})

test('a call that takes longer than a reader may stall is answered', beside, async () => {
  const file = `${services.folder}/go`
  const body = JSON.stringify({
    id: '1',
    window_uuid: services.window.windowUuid,
    ns: 'tools',
    method: 'invoke',
    args: { tool_id: 'odd.wait', args: { file } },
  })
  const waiting = [body, `[${body},${body}]`].map((text) => {
    const raw = at.open()
    raw.write(at.head({ 'content-length': String(text.length) }) + text)
    return raw
  })
  await after(3 * READER_STALLED_MS)
  for (const raw of waiting) {
    expect(raw.closed).toBe(false)
    raw.end()
  }
})
