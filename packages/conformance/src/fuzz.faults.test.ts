import { errors, methodRows } from '@svc/contract'
import { routeRows } from '@svc/contract/routes'
import { afterAll, beforeAll, expect } from 'vitest'
import { rounds } from './rounds.ts'
import { createGrammar, schemaOf } from './testing/grammar.ts'
import { openTestHost, type TestHost, type TestWindow } from './testing/host.ts'
import { seeded } from './testing/seeded.ts'
import { verifies } from './verifies.ts'

/** Of one run: the seed names it, and each case in it is found again by its number. */
const SEED = 20_261
const EACH_MS = 10_000
const CALLS_EACH = 40
const CALLS = rounds(60_000)
const BODIES = rounds(20_000)
const REQUESTS = rounds(10_000)

/** They would leave the machine, or end the window that all share. */
const left = new Set(['web.search', 'web.fetch', 'window.close'])
const methods = methodRows().flatMap(([ns, name, { args }]) =>
  left.has(`${ns}.${name}`) ? [] : [{ ns, method: name, schema: schemaOf(args) }],
)
const host_api = {
  ...Object.fromEntries([...new Set(methods.map(({ ns }) => ns))].map((ns) => [ns, ['*']])),
  agent: { session: { auto: true } },
  tools: ['required:*', 'optional:*'],
}
const codes = new Set(Object.keys(errors).filter((code) => code !== 'internal_error'))

let testHost: TestHost
let window: TestWindow
const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)

beforeAll(async () => {
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
  testHost = await openTestHost({ manifest: { host_api } })
  window = await testHost.openWindow()
})
afterAll(async () => {
  await testHost.close()
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
})

/** Waits for an answer; names the case that is not answered in time. */
async function inTime<T>(answer: Promise<T>, name: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name}: no answer within ${EACH_MS} ms`)), EACH_MS)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** What is wrong with an answer of the RPC endpoint, or undefined. */
function problemOf(status: number, text: string): string | undefined {
  if (status === 500) return text
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const { id, ok, result, error } = JSON.parse(line)
    if (typeof id !== 'string') return `no id: ${line}`
    if (ok ? result === undefined : !codes.has(error?.code)) return line
  }
  return undefined
}

verifies(
  ['envelope.failure', 'wall.fuzz'],
  `${CALLS} calls that fit the methods, or nearly: each is answered once, by a code of the table`,
  async () => {
    const grammar = createGrammar(seeded(SEED))
    for (let body = 0; body < CALLS / CALLS_EACH; body++) {
      const calls = Array.from({ length: CALLS_EACH }, (_, at) => {
        const { ns, method, schema } = grammar.pick(methods)
        const args = grammar.like({ type: 'object', ...schema })
        return { id: `${body}.${at}`, window_uuid: window.windowUuid, ns, method, args }
      })
      const { status, text } = await inTime(window.post(JSON.stringify(calls)), `body ${body}`)
      expect(problemOf(status, text), `body ${body}`).toBeUndefined()
      const ids = text.split('\n').flatMap((line) => (line ? [JSON.parse(line).id] : []))
      expect(ids.sort(), `body ${body}`).toEqual(calls.map(({ id }) => id).sort())
    }
    expect(unhandled).toEqual([])
  },
)

verifies(
  ['envelope.failure', 'wall.fuzz'],
  `${BODIES} bodies with broken places: no 5xx, and every line of an answer is an envelope`,
  async () => {
    const grammar = createGrammar(seeded(SEED + 1))
    for (let count = 0; count < BODIES; count++) {
      const { ns, method, schema } = grammar.pick(methods)
      const call = { id: `${count}`, window_uuid: window.windowUuid, ns, method, args: grammar.like(schema) }
      const bytes = Buffer.from(JSON.stringify(grammar.chance(0.3) ? [call, call] : call))
      const { status, text } = await inTime(window.post(grammar.broken(bytes)), `body ${count}`)
      expect(problemOf(status, text), `body ${count}`).toBeUndefined()
    }
    expect(unhandled).toEqual([])
  },
)

verifies(
  ['wall.fuzz'],
  `${REQUESTS} requests to the routes, with paths, queries and bodies that nearly fit: no 5xx`,
  async () => {
    const grammar = createGrammar(seeded(SEED + 2))
    // A stream has no end, and the sign-in of the others is kept.
    const rows = routeRows().filter(([, { answer }]) => answer !== 'text/event-stream')
    for (let count = 0; count < REQUESTS; count++) {
      const [name, row] = grammar.pick(rows)
      const path = row.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(part(grammar)))
      const query = grammar.chance(0.3)
        ? `?${encodeURIComponent(part(grammar))}=${encodeURIComponent(part(grammar))}`
        : ''
      const body = 'body' in row && row.body ? JSON.stringify(grammar.like(schemaOf(row.body))) : undefined
      const init = { method: row.method, cookie: window.cookie, ...(body !== undefined && { body }) }
      const response = await inTime(testHost.request(path + query, init), `${count} ${name}`)
      const isRefusal = response.status >= 400
      const said = isRefusal ? await response.text() : ''
      if (!isRefusal) await response.body?.cancel()
      // A 5xx with a code of the table is an answer: no runner is there, or a method is not implemented.
      const isAnswer = response.status < 500 || codes.has(JSON.parse(said).error?.code)
      expect(isAnswer, `${count} ${name} ${path}${query} ${body}: ${response.status} ${said}`).toBe(true)
    }
    expect(unhandled).toEqual([])
  },
)

/** A text that stands for an id in a path; a lone surrogate has no form there. */
const part = (grammar: ReturnType<typeof createGrammar>) =>
  (grammar.chance(0.5) ? String(grammar.value(9)) : grammar.text()).toWellFormed()
