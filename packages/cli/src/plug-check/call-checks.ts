import { setTimeout as pause } from 'node:timers/promises'
import type { Limits } from '@svc/contract'
import { broken, passed, type Verdict, verdictOf } from '../checks/check.ts'
import { fieldsOf } from '../project/fields.ts'
import type { Bench, PluginCheck, TriedCall } from './bench.ts'
import { callParams, errorProblems } from './error-checks.ts'
import { describeProblem } from './life-checks.ts'
import type { Message } from './message.ts'
import { outputCheck } from './output-check.ts'
import type { Answer, PluginProcess } from './process.ts'

/** How the call that the author gave went. */
interface CallReport {
  readonly answer: Answer
  readonly ms: number
  readonly progress: readonly Message[]
}

/** The id of the call on the wire. */
const ID = 'call'
/** Progress that is kept for judging; the rest is counted by its rate. */
const PROGRESS_KEPT = 1_000

const tries = new WeakMap<Bench, Promise<CallReport>>()

/** A process that has started: how long that takes does not count for the call. */
async function warm(bench: Bench): Promise<PluginProcess> {
  const plugin = bench.open()
  await describeProblem(plugin)
  return plugin
}

/** Calls the tool once for all checks that look at it. */
function tried(bench: Bench, call: TriedCall): Promise<CallReport> {
  const before = tries.get(bench)
  if (before) return before
  const now = start(bench, call)
  tries.set(bench, now)
  return now
}

async function start(bench: Bench, { tool, args, timeoutMs }: TriedCall): Promise<CallReport> {
  const plugin = await warm(bench)
  const progress: Message[] = []
  const stop = plugin.listen((message) => {
    if (message.method === 'progress' && progress.length < PROGRESS_KEPT) progress.push(message)
  })
  bench.onCall('once, to its end')
  const from = performance.now()
  const answer = await plugin.ask(
    { id: ID, method: 'call', params: callParams(tool, args, ID, timeoutMs) },
    timeoutMs,
  )
  stop()
  return { answer, ms: performance.now() - from, progress }
}

/** What a call answered, in bytes of JSON, or what is wrong with it. */
function outcomeProblems({ result, error }: Message, limits: Limits): string[] {
  if (error !== undefined && error !== null)
    return [...errorProblems(error), `the call failed: ${JSON.stringify(fieldsOf(error)?.message ?? error)}`]
  const fields = fieldsOf(result)
  if (!fields)
    return ['the result of a call must be an object, {"output": …} or {"success": false, "error": "…"}']
  if (fields.success === false)
    return [
      typeof fields.error === 'string'
        ? `the tool reported a failure: ${fields.error}`
        : '{"success": false} must come with error, a text',
    ]
  if (!Object.hasOwn(fields, 'output')) return ['the result of a call must have output']
  const bytes = Buffer.byteLength(JSON.stringify(fields.output))
  return bytes > limits.SYNC_PAYLOAD_MAX_BYTES
    ? [`output must be at most ${limits.SYNC_PAYLOAD_MAX_BYTES} bytes of JSON, got ${bytes}`]
    : []
}

/** What is wrong with a line of progress. */
function progressProblems({ params }: Message, limits: Limits): string[] {
  const fields = fieldsOf(params)
  if (!fields) return ['progress must have params']
  const { id, type, data } = fields
  const bytes = Buffer.byteLength(JSON.stringify(data ?? null))
  return [
    ...(id === ID
      ? []
      : [
          `params.id of progress must be the id of the call, "${ID}", got ${JSON.stringify(id) ?? 'nothing'}`,
        ]),
    ...(typeof type === 'string' && type.length <= limits.NAME_MAX_CHARS
      ? []
      : [
          `params.type of progress must be text of at most ${limits.NAME_MAX_CHARS} characters, got ${JSON.stringify(type) ?? 'nothing'}`,
        ]),
    ...(data === undefined ? ['params.data of progress is missing'] : []),
    ...(bytes <= limits.PROGRESS_MAX_BYTES
      ? []
      : [`params.data of progress must be at most ${limits.PROGRESS_MAX_BYTES} bytes of JSON, got ${bytes}`]),
  ]
}

const NO_CALL = 'name a call with --tool and --args'

/** What the call returned under `output`, or why there is nothing. */
async function outputOf(bench: Bench) {
  const { call } = bench
  if (!call) return { why: NO_CALL }
  const { answer } = await tried(bench, call)
  const result = 'reply' in answer ? fieldsOf(answer.reply.result) : undefined
  return result && Object.hasOwn(result, 'output')
    ? { tool: call.tool, output: result.output }
    : { why: `${call.tool} returned no output` }
}

/** Runs a check that looks at a call, where there is one to try. */
const ofCall =
  (run: (bench: Bench, call: TriedCall) => Promise<Verdict>) =>
  async (bench: Bench): Promise<Verdict> =>
    bench.call ? run(bench, bench.call) : { kind: 'left_out', why: NO_CALL }

/** A call that ends sooner than this cannot be cut off in its middle. */
const CANCELLED_AFTER_MS = 50
/** It is cancelled after this share of its time, and not later than this. */
const CANCELLED_AT = 0.1
const CANCELLED_WITHIN_MS = 1_000

const CANCEL_LINE = JSON.stringify({
  jsonrpc: '2.0',
  method: 'cancel',
  params: { id: ID, reason: 'svc plug check' },
})

const tooShort = ({ tool }: TriedCall): Verdict => ({
  kind: 'left_out',
  why: `${tool} ended by itself; name a call that takes longer`,
})

/** That a call which the author names is served, reports its progress correctly, and stops on `cancel`. */
export const callChecks: readonly PluginCheck[] = [
  {
    id: 'stdio.call',
    name: 'answers the call',
    hint: 'Answer {"result":{"output": …}}; where the tool cannot do it, {"result":{"success":false,"error":"…"}}.',
    run: ofCall(async (bench, call) => {
      const { answer, ms } = await tried(bench, call)
      if ('problem' in answer) return broken(`called ${call.tool}, ${answer.problem}`)
      return verdictOf(outcomeProblems(answer.reply, bench.limits), `${call.tool} in ${Math.round(ms)} ms`)
    }),
  },
  outputCheck(outputOf),
  {
    id: 'stdio.progress',
    name: 'tells its progress well',
    hint: 'Write {"method":"progress","params":{"id":<id of the call>,"type":"progress","data":…}}, at most 50 a second and 8 KB each.',
    run: ofCall(async (bench, call) => {
      const { progress, ms } = await tried(bench, call)
      if (progress.length === 0) return { kind: 'left_out', why: `${call.tool} told none` }
      const { limits } = bench
      const most = limits.PROGRESS_PER_SECOND * (1 + ms / 1_000)
      return verdictOf(
        [
          ...new Set(progress.flatMap((one) => progressProblems(one, limits))),
          ...(progress.length <= most
            ? []
            : [`it sent more progress than ${limits.PROGRESS_PER_SECOND} a second; the rest is dropped`]),
        ],
        `${progress.length} of it`,
      )
    }),
  },
  {
    id: 'stdio.cancel',
    name: 'stops when the call is cancelled',
    hint: 'Keep reading stdin while a tool works. At {"method":"cancel","params":{"id":…}} stop and answer, or end; what runs on is killed.',
    run: ofCall(async (bench, call) => {
      const { ms } = await tried(bench, call)
      if (ms < CANCELLED_AFTER_MS)
        return {
          kind: 'left_out',
          why: `${call.tool} ended after ${Math.round(ms)} ms, too soon to be cancelled`,
        }
      const plugin = await warm(bench)
      const params = callParams(call.tool, call.args, ID, call.timeoutMs)
      bench.onCall('again, to cancel it')
      const answer = plugin.ask({ id: ID, method: 'call', params }, call.timeoutMs)
      const at = Math.min(ms * CANCELLED_AT, CANCELLED_WITHIN_MS)
      const early = await Promise.race([answer, pause(at)])
      if (early && 'reply' in early) return tooShort(call)
      const from = performance.now()
      plugin.write(`${CANCEL_LINE}\n`)
      const { CANCEL_KILL_MS } = bench.limits
      const stopped = await Promise.race([answer, pause(CANCEL_KILL_MS)])
      if (!stopped) return broken(`it still worked ${CANCEL_KILL_MS} ms after the cancel`)
      const after = performance.now() - from
      const isDone = 'reply' in stopped && fieldsOf(stopped.reply.result)?.output !== undefined
      // An answer that comes when it would have come anyway says nothing about the cancel.
      return isDone && after > (ms - at) / 2 ? tooShort(call) : passed(`after ${Math.round(after)} ms`)
    }),
  },
]
