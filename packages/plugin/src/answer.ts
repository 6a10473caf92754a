import { asNumbers, needsExact, parseExact } from '@svc/contract/exact-json'
import { jsonText } from '@svc/contract/json-oddity'
import { JSONRPC, type LineId, REFUSED } from '@svc/contract/stdio'
import { checkArguments } from './arguments.ts'
import { type CallClock, CallContext, OpenCall } from './context.ts'
import { describe, type Plugin } from './describe.ts'
import { HostError } from './host-error.ts'
import { isLive, type LivePlugin } from './live-plugin.ts'
import { type ProgressOutlet, progressOf } from './progress.ts'
import { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, RpcError } from './rpc-error.ts'
import { sentenceOf } from './sentence.ts'
import type { Tool } from './tool.ts'

/** Where answers, progress and log lines go, and where the time comes from. */
export interface Outlet extends ProgressOutlet {
  /** Takes one line, without its line feed. */
  write(line: string): void
  readonly clock: CallClock
}

type Fields = Readonly<Record<string, unknown>>

const encoder = new TextEncoder()

/**
 * Makes the part that takes a plugin's lines one by one and writes its answers; it holds no stream itself.
 *
 * `take` never throws: a line that is not a request is logged and skipped.
 */
export function answerer(plugin: Plugin | LivePlugin, out: Outlet) {
  const tools = isLive(plugin) ? undefined : new Map(Object.entries(plugin.tools))
  const description = isLive(plugin) ? undefined : JSON.stringify(describe(plugin))
  const running = new Map<LineId, OpenCall>()
  let describing = 0
  let isChangeTold = false
  let onSettled: (() => void) | undefined

  const reply = (id: LineId, resultText: string) =>
    out.write(`{"jsonrpc":"${JSONRPC}","id":${JSON.stringify(id)},"result":${resultText}}`)
  const refuse = (id: LineId, code: number, message: string, data?: Fields) =>
    out.write(JSON.stringify({ jsonrpc: JSONRPC, id, error: { code, message, ...(data && { data }) } }))

  const isSettled = () => running.size === 0 && describing === 0

  /** A list of tools is looked up; a live plugin is asked. */
  function toolOf(name: unknown): Tool | undefined {
    if (typeof name !== 'string') return undefined
    return isLive(plugin) ? { run: (args, ctx) => plugin.call(name, args, ctx) } : tools?.get(name)
  }

  async function describeLive(id: LineId, live: LivePlugin): Promise<void> {
    describing += 1
    // What changes from here on may be missing in the answer.
    isChangeTold = false
    try {
      reply(id, JSON.stringify(await live.describe()))
    } catch (error) {
      const { code, data } = error instanceof RpcError ? error : { code: INTERNAL_ERROR, data: undefined }
      refuse(id, code, sentenceOf(error), data)
    }
    describing -= 1
    if (isSettled()) onSettled?.()
  }

  /** Arguments with numbers that JavaScript holds; a live plugin hands them on as they came. */
  function argsOf(params: Fields, text: string): Fields | undefined {
    if (params.args === undefined) return {}
    if (!needsExact(encoder.encode(text))) return fieldsOf(params.args)
    const { args } = (parseExact(text) as { params: Fields }).params
    return fieldsOf(isLive(plugin) ? args : asNumbers(args, 'args'))
  }

  function call(id: LineId, params: Fields, text: string): void {
    const tool = toolOf(params.name)
    let args: Fields | undefined
    try {
      args = argsOf(params, text)
    } catch (error) {
      refuse(id, INVALID_PARAMS, sentenceOf(error))
      return
    }
    const wrong =
      (!tool &&
        `${isLive(plugin) ? 'the plugin' : plugin.name} has no tool ${JSON.stringify(params.name)}`) ||
      (!args && 'args must be an object') ||
      (tool?.parameters && args && checkArguments(args, tool.parameters))
    if (tool && args && !wrong) run(id, tool, args, params)
    else refuse(id, INVALID_PARAMS, wrong || 'params are missing')
  }

  function run(id: LineId, tool: Tool, args: Fields, params: Fields): void {
    const context = fieldsOf(params.context)
    const open = new OpenCall({
      invokeId: typeof context?.invoke_id === 'string' ? context.invoke_id : String(id),
      deadlineMs: typeof params.deadline_ms === 'number' ? params.deadline_ms : Number.POSITIVE_INFINITY,
      clock: out.clock,
      log: out.log,
      progress: progressOf(id, out),
      samplingToken: typeof context?.sampling_token === 'string' ? context.sampling_token : undefined,
      send: out.write,
    })
    const answered = (output: unknown) => reply(id, `{"output":${textOf(output, params.name)}}`)
    const failed = (error: unknown) => {
      // A stop that was asked for is not a trouble that the log should hold.
      if (!open.isStop(error))
        out.log(isMistake(error) ? error : `${params.name} failed: ${sentenceOf(error)}`)
      const data = open.isLapse(error) ? { name: 'tool_timeout' } : carried(error)
      if (error instanceof RpcError) refuse(id, error.code, error.message, error.data)
      else if (data) refuse(id, REFUSED, sentenceOf(error), data)
      else reply(id, JSON.stringify({ success: false, error: sentenceOf(error) }))
    }
    const settled = () => {
      open.close()
      running.delete(id)
      if (isSettled()) onSettled?.()
    }
    try {
      const output = tool.run(args as never, new CallContext(open))
      if (isThenable(output)) {
        running.set(id, open)
        Promise.resolve(output).then(answered).catch(failed).finally(settled)
      } else {
        // A tool that answers at once need not wait for a turn of the queue.
        answered(output)
        open.close()
      }
    } catch (error) {
      failed(error)
      open.close()
    }
  }

  function take(text: string): void {
    const message = parse(text)
    const id = message?.id
    if (!message) out.log('skipped a line that is not a JSON object')
    // One that no call waits for any more came too late.
    else if (isReply(message)) for (const open of running.values()) open.take(message)
    else if (typeof id === 'string' || typeof id === 'number') answer(id, message, text)
    else if (message.method === 'cancel') cancel(fieldsOf(message.params) ?? {})
    else out.log('skipped a line that is not a request')
  }

  function answer(id: LineId, { method, params }: Fields, text: string): void {
    if (method === 'describe' && isLive(plugin)) void describeLive(id, plugin)
    else if (method === 'describe') reply(id, description ?? 'null')
    else if (method === 'call') void call(id, fieldsOf(params) ?? {}, text)
    else if (typeof method === 'string') refuse(id, METHOD_NOT_FOUND, `there is no method ${method}`)
    else refuse(id, INVALID_REQUEST, 'method must be a string')
  }

  function cancel({ id, reason }: Fields): void {
    running.get(id as LineId)?.cancel(reason ?? new DOMException('The call was cancelled.', 'AbortError'))
  }

  return {
    take,
    /** Tells once, until it is asked, that the tools are others. */
    toolsChanged(): void {
      if (isChangeTold) return
      isChangeTold = true
      out.write(JSON.stringify({ jsonrpc: JSONRPC, method: 'tools_changed' }))
    },
    /** Resolves as soon as nothing is left to answer. */
    settled: () =>
      new Promise<void>((resolve) => {
        if (isSettled()) resolve()
        else onSettled = resolve
      }),
    /** The host says nothing any more: what calls under way have asked it ends. */
    cutOff() {
      for (const open of running.values()) open.cutOff()
    },
  }
}

/** Failures of a request to the host that the host has to know, whatever the tool makes of its other ones. */
const CARRIED: ReadonlySet<string> = new Set(['tool_timeout', 'subcall_timeout'])

const MISTAKES = [TypeError, ReferenceError, RangeError, SyntaxError, URIError, EvalError]

/**
 * Whether what a tool threw is a mistake in its program, whose place the author wants to see, and not a failure that it
 * reports to its caller.
 */
const isMistake = (error: unknown): boolean =>
  !(error instanceof Error) ||
  error.cause !== undefined ||
  error.name === 'AssertionError' ||
  MISTAKES.some((one) => error instanceof one)

const carried = (error: unknown): Fields | undefined =>
  error instanceof HostError && CARRIED.has(error.name) ? { ...error.data } : undefined

function isReply(message: Fields): boolean {
  return message.method === undefined && (message.result !== undefined || message.error !== undefined)
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

/** The JSON text of a payload; `undefined` reads as `null`. */
function textOf(output: unknown, tool: unknown): string {
  try {
    return jsonText(output, 'value') ?? 'null'
  } catch (cause) {
    const why = sentenceOf(cause).split('\n', 1)[0]
    throw new Error(`${tool} returned a value that JSON cannot hold: ${why}`, { cause })
  }
}

function parse(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}
