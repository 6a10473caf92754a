import { setTimeout as pause } from 'node:timers/promises'
import { type ErrorCode, errorBody, errorRow, errorText, type RpcRequest, refuse } from '@svc/contract'
import { routes } from '@svc/contract/routes'
import type { Page, Request, Route } from 'playwright-core'
import { countSucceeded, readCalls } from './answers.ts'
import { bounds } from './bounds.ts'
import type { Hold } from './hold.ts'
import { draws } from './page-state.ts'

/** Says with which error a call fails; `null` lets it through. */
export type Refusing = (call: RpcRequest) => { readonly code: ErrorCode; readonly details?: object } | null

/** Namespaces whose work is held where it is done: in tools and models, so that the host has it in hand as well. */
const HELD_AT_WORK: ReadonlySet<string> = new Set(['tools', 'llm', 'agent'])

/** What every app does with its window, and no work. */
const isWork = ({ ns }: RpcRequest) => ns !== 'window'

/** Watches the calls of a page on their way to the host, and holds or refuses them. */
export async function openCalls(page: Page, hold: Hold) {
  let refusing: Refusing | null = null
  let begun = 0
  let refused = 0
  let answered = 0
  let hellos = 0
  let came = performance.now()
  const open = new Map<Request, readonly RpcRequest[]>()
  const requests = new Set<Request>()

  await page.route(`**${routes['calls.rpc'].path}`, (route) => handle(route).catch(() => undefined))
  page.on('request', (request) => {
    // The stream of events has no end.
    if (pathOf(request) === routes['calls.events'].path) return
    came = performance.now()
    requests.add(request)
    const calls = callsOf(request).filter(isWork)
    begun += calls.length
    if (calls.length > 0) open.set(request, calls)
  })
  const end = (request: Request) => {
    came = performance.now()
    requests.delete(request)
    open.delete(request)
  }
  /** How many calls of a request succeeded; all of them where the document that asked took the answer with it. */
  async function succeededOf(request: Request, calls: readonly RpcRequest[]): Promise<number> {
    const response = await request.response().catch(() => null)
    if (!response?.ok() || calls.length === 0) return 0
    return response.text().then(
      (text) => countSucceeded(calls, text),
      () => calls.length,
    )
  }
  page.on('requestfinished', async (request) => {
    const calls = open.get(request) ?? []
    if (callsOf(request).some(({ ns, method }) => ns === 'window' && method === 'hello')) hellos++
    open.delete(request)
    // Whoever waits until it is quiet reads this count.
    const count = await succeededOf(request, calls)
    answered += count
    end(request)
  })
  page.on('requestfailed', end)

  async function handle(route: Route): Promise<void> {
    const calls = callsOf(route.request())
    if (calls.some((call) => isWork(call) && !HELD_AT_WORK.has(call.ns))) await hold.pass()
    const errors = new Map(calls.filter(isWork).map((call) => [call, refusing?.(call) ?? null]))
    const count = [...errors.values()].filter((error) => error !== null).length
    if (count === 0) return route.continue()
    refused += count
    const [only] = calls
    if (calls.length === 1 && only) {
      const { code = 'internal_error', details = {} } = errors.get(only) ?? {}
      return route.fulfill({
        status: errorRow(code).status,
        contentType: 'application/json',
        body: failed(only.id, code, details),
      })
    }
    const through = calls.filter((call) => !errors.get(call))
    const answered =
      through.length === 0 ? '' : await (await route.fetch({ postData: JSON.stringify(through) })).text()
    const refusals = calls.flatMap((call) => {
      const error = errors.get(call)
      return error ? [failed(call.id, error.code, error.details ?? {})] : []
    })
    const lines = [...answered.split('\n').filter((line) => line !== ''), ...refusals]
    return route.fulfill({ contentType: 'application/x-ndjson', body: `${lines.join('\n')}\n` })
  }

  return {
    /** How many calls of work were begun so far. */
    get begun() {
      return begun
    },
    /** How many documents have said hello so far. */
    get hellos() {
      return hellos
    },
    /** How many of them were refused. */
    get refused() {
      return refused
    },
    /** How many of them succeeded. */
    get answered() {
      return answered
    },
    /** The calls of work that have no answer, as `storage.get` each. */
    get open(): readonly string[] {
      return [...open.values()].flat().map(({ ns, method }) => `${ns}.${method}`)
    },
    /** Refuses calls of work from now on; `null` ends it. */
    refuse(by: Refusing | null) {
      refusing = by
    },
    /** Waits until the page has asked for nothing for a moment, or for `ms`. */
    async quiet(ms: number = bounds.PRESS_MS): Promise<void> {
      const until = performance.now() + ms
      for (let from = performance.now(); ; ) {
        const now = performance.now()
        const isQuiet = requests.size <= hold.waiting && now - Math.max(came, from) >= bounds.QUIET_MS
        if (isQuiet || now >= until) return
        await pause(bounds.QUIET_MS / 4)
        // What a busy document does next is not seen before it is done.
        const asked = performance.now()
        await Promise.all(page.frames().map(draws))
        if (performance.now() - asked > bounds.QUIET_MS) from = performance.now()
      }
    },
  }
}

/** See `openCalls`. */
export type Calls = Awaited<ReturnType<typeof openCalls>>

/** The calls in the body of a request. */
function callsOf(request: Request): readonly RpcRequest[] {
  if (request.method() !== 'POST' || pathOf(request) !== routes['calls.rpc'].path) return []
  return readCalls(request.postData() ?? '')
}

const pathOf = (request: Request): string => new URL(request.url()).pathname

const failed = (id: string, code: ErrorCode, details: object): string =>
  errorText(id, errorBody(refuse(code, undefined, { ...details })))
