import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryBus } from '@svc/state'
import { pino } from 'pino'
import { afterAll, beforeAll, expect } from 'vitest'
import { openAudit } from '../access/audit/audit.ts'

const FORGERY = '{"type":"forged","what":"forged"}'
/** Every end of a line that some reader knows, each with something behind it that would read as a line of ours. */
const ends = [
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\u2028',
  '\u2029',
  '\u0085',
  '\u0000',
  '\u000b',
  '\u000c',
  '\u001e',
]
const forge = (end: string) =>
  `x${end}${FORGERY}${end}data: ${FORGERY}${end}${end}id: 9${end}event: reset${end}`
/** What ends a line of an event stream, and no line of JSON has within it. */
const linesOf = (text: string) => text.split(/\r\n|\r|\n/)
const forgedIn = (lines: readonly string[]) =>
  lines.map((line) => JSON.parse(line)).filter(({ type, what }) => type === 'forged' || what === 'forged')

let services: TestHost
let window: TestWindow
const written: string[] = []

beforeAll(async () => {
  const logger = pino({ level: 'debug' }, { write: (text: string) => void written.push(text) })
  services = await openTestHost({ logger })
  window = await services.openWindow()
})
afterAll(() => services.close())

/** Opens the event stream of the window; `until` reads it until something has come, and returns its text. */
async function hear() {
  const gone = new AbortController()
  const path = `/api/v1/svc-apps/runtime/events?windows=${window.windowUuid}`
  const { body } = await services.request(path, { cookie: window.cookie, signal: gone.signal })
  const reader = body?.getReader()
  let text = ''
  async function until(last: string): Promise<string> {
    while (!text.includes(last)) {
      const next = await reader?.read()
      if (!next || next.done) throw new Error(`the stream ended before ${last}`)
      text += Buffer.from(next.value)
    }
    return text
  }
  // A new stream begins at the tail: what is sent before its first line is not in it.
  await until('retry:')
  return { until, close: () => gone.abort() }
}

const FRAMING = /^(retry: \d+|id: \S+|event: (calls|cursor)|data: \{[^\r\n]*\}|:|)$/

verifies.each('wall.answers')(ends)('no event of a stream ends at %j', async (end) => {
  const stream = await hear()
  expect(await window.call('window', 'set_title', { title: `T${forge(end)}` })).toMatchObject({ ok: true })
  const lines = linesOf(await stream.until('"type":"title_changed"'))
  stream.close()
  expect(lines.filter((line) => !FRAMING.test(line))).toEqual([])
  expect(forgedIn(lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6)))).toEqual([])
})

verifies.each('wall.answers')(ends)('no line of the log ends at %j', async (end) => {
  written.length = 0
  const text = forge(end)
  await window.call('window', 'report_error', { message: text, stack: text, context: { text } })
  await window.call(text, text, { [text]: text })
  const lines = linesOf(written.join('')).filter((line) => line !== '')
  expect(lines.length).toBe(written.length)
  expect(lines.some((line) => line.includes('forged'))).toBe(true)
  expect(forgedIn(lines)).toEqual([])
})

verifies.each('wall.answers')(ends)('an entry of the audit log is one, with %j in it', async (end) => {
  const clock = frozenClock()
  const bus = memoryBus({ clock })
  const audit = openAudit({ bus, clock, limits, log: pino({ level: 'silent' }) })
  const text = forge(end)
  audit.note('tool.call', text, 'ok', { target: text, method: text })
  const { entries } = await audit.read({ log: 'calls', limit: 10 })
  expect(entries).toMatchObject([{ what: 'tool.call', user_id: text, target: text, method: text }])
})
