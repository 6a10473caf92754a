import { Client, ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { limits } from '@svc/contract/limits'
import { isSemver } from '@svc/contract/semver'
import { NOT_TAKEN, type PluginDescription, SERVER_FAILED } from '@svc/contract/stdio'
import { cutText } from '@svc/contract/visible-text'
import { type Context, RpcError } from '@svc/plugin'
import own from '../package.json' with { type: 'json' }
import { SLOW_START } from './mcp-command.ts'
import { sample } from './sampling.ts'
import type { ServerProcess } from './server-process.ts'
import { fieldsOf, mayBeRenamed, toolsOf } from './tool-list.ts'
import { type McpOutput, outputOf } from './tool-result.ts'
import { openTransport } from './transport.ts'

/** The MCP client of one server. */
export interface Session {
  /**
   * The server as a plugin describes itself; its tools are asked for each time. `signal` is to fire `startMs` after the
   * question came.
   */
  describe(signal: AbortSignal): Promise<PluginDescription>
  /** Errors: `RpcError` for what the server refuses or cannot do, `Error` for what its tool reports. */
  call(name: string, args: Readonly<Record<string, unknown>>, ctx: Context): Promise<McpOutput>
}

/** What a session is opened with. */
export interface SessionOptions {
  readonly sampling: boolean
  /** How long it may take from its start to its tools. */
  readonly startMs: number
  /** Takes a line for people. */
  readonly log: (sentence: string) => void
  /** The server has other tools than it told before. */
  readonly onToolsChanged: () => void
  /** The server has ended; every call under way is failing. */
  readonly onEnd: () => void
}

const METHOD_NOT_FOUND = -32_601
const INVALID_REQUEST = -32_600
/** The longest wait that one timer takes, in ms: the wait has another end. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** What a server may not ask for, and what would help. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'sampling is not granted: svc-mcp was started without --sampling'],
  ['elicitation/create', 'elicitation is not supported: a plugin cannot ask its user'],
  ['roots/list', 'roots are not supported: a plugin is shown no folders'],
])

/** The message of an error of the server, with what else it says of it. */
function withData({ message, data }: ProtocolError): string {
  const more = typeof data === 'string' ? data : data === undefined ? '' : JSON.stringify(data)
  return more === '' || message.includes(more) ? message : `${message}: ${more}`
}

/** Results are read where they are used: of a list, one wrong tool costs that tool. */
const anything = {
  '~standard': { version: 1, vendor: 'svc', validate: (value: unknown) => ({ value }) },
} as const

/** A call under way. */
interface Call {
  readonly ctx: Context
  readonly broken: AbortController
}

/** Shakes hands with a server, within `startMs`. Errors: `RpcError`. */
export async function openSession(
  server: ServerProcess,
  { sampling, startMs, log, onToolsChanged, onEnd }: SessionOptions,
): Promise<Session> {
  const calls = new Set<Call>()
  let ended: string | undefined
  let isListed = false
  /** The list that is being read; shared by those who ask meanwhile. */
  let listing: Promise<PluginDescription> | undefined
  /** The server's names of tools that have others on our wire. */
  const renamed = new Map<string, string>()

  const transport = openTransport(server, {
    log,
    onTooLong() {
      const max = limits.LINE_MAX_BYTES
      const error = new RpcError(`a line of the MCP server must be at most ${max} bytes, got more`)
      for (const { broken } of calls) broken.abort(error)
      // What it wrote may have been the answer: whether it goes on with the call is not known.
      if (calls.size > 0) server.kill()
    },
    onEnd(sentence) {
      ended = sentence
      onEnd()
    },
  })

  const client = new Client(
    { name: 'svc-mcp', version: own.version },
    { capabilities: sampling ? { sampling: {} } : {} },
  )
  // What stands behind the colon may be what a call was given.
  client.onerror = ({ message }) => log(message.split(':', 1)[0] ?? '')
  client.fallbackRequestHandler = async ({ method, params }) => {
    if (sampling && method === 'sampling/createMessage') return { ...(await sample(params, onlyCall().ctx)) }
    throw new RpcError(refusals.get(method) ?? `there is no method ${method}`, METHOD_NOT_FOUND)
  }
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    listing = undefined
    onToolsChanged()
  })
  client.setNotificationHandler('notifications/message', { params: anything }, (params) => {
    const { level, logger, data } = fieldsOf(params) ?? {}
    const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
    log(`[${level}] ${logger ?? ''}: ${text}`.slice(0, limits.STDERR_LINE_MAX_BYTES))
  })

  /**
   * A request of the server belongs to the call under way: nothing on the wire says to which of two. One that was
   * cancelled has none any more.
   */
  function onlyCall(): Call {
    const [call] = calls
    if (call && calls.size === 1 && !call.ctx.signal.aborted) return call
    throw new RpcError(
      calls.size > 1 ? 'two calls are under way, so it is not known whose this is' : 'no call is under way',
      INVALID_REQUEST,
    )
  }

  /** An error of the client in words that name the server. */
  function told(error: unknown, method: string, timeout: number): unknown {
    if (error instanceof ProtocolError) return new RpcError(withData(error), error.code)
    if (ended !== undefined) {
      const isLast = fieldsOf(server.unread)?.method === 'tools/call' && calls.size === 1
      const isTaken = method === 'tools/call' && !isLast
      const sentence = `the MCP server ${ended} before it answered ${method}`
      return new RpcError(sentence, undefined, { name: isTaken ? SERVER_FAILED : NOT_TAKEN })
    }
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
      return new RpcError(
        `the MCP server did not answer ${method} within ${timeout} ms${method === 'tools/call' ? '' : `: ${SLOW_START}`}`,
        undefined,
        { name: SERVER_FAILED },
      )
    return new RpcError(`${method}: ${error instanceof Error ? error.message : String(error)}`)
  }

  async function list(signal: AbortSignal): Promise<PluginDescription> {
    const { name = '', version = '' } = client.getServerVersion() ?? {}
    const instructions = client.getInstructions() ?? ''
    if (instructions.length > limits.PLUGIN_INSTRUCTIONS_MAX_CHARS)
      log(`cut its instructions: the most is ${limits.PLUGIN_INSTRUCTIONS_MAX_CHARS} characters`)
    return {
      name: name.slice(0, limits.PLUG_NAME_MAX_CHARS) || 'mcp',
      ...(isSemver(version) && version.length <= limits.PLUG_VERSION_MAX_CHARS && { version }),
      ...(instructions !== '' && {
        instructions: cutText(instructions, limits.PLUGIN_INSTRUCTIONS_MAX_CHARS),
      }),
      tools: toolsOf(await pages(signal), log, renamed),
      ...(sampling && { host_capabilities: ['llm.sample'] }),
    }
  }

  async function pages(signal: AbortSignal): Promise<unknown[]> {
    const tools: unknown[] = []
    const timeout = startMs
    const seen = new Set<unknown>()
    let cursor: unknown
    for (let page = 0; page < limits.MCP_PAGES_MAX; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const result: unknown = await client
        .request({ method: 'tools/list', params }, anything, { signal, timeout })
        .catch((error) => {
          // What it says of its tools in advance is not asked: some that have tools do not say so.
          if (page === 0 && error instanceof ProtocolError && error.code === METHOD_NOT_FOUND)
            return { tools: [] }
          throw told(error, 'tools/list', timeout)
        })
      const { tools: more, nextCursor } = fieldsOf(result) ?? {}
      if (!Array.isArray(more))
        throw new RpcError('the MCP server answered tools/list without a list of tools')
      tools.push(...more)
      if (nextCursor === undefined || nextCursor === null || nextCursor === '') return tools
      if (seen.has(nextCursor)) {
        log('its list of tools goes in a circle: it was read up to there')
        return tools
      }
      seen.add(nextCursor)
      cursor = nextCursor
    }
    log(`its list of tools was read up to page ${limits.MCP_PAGES_MAX}`)
    return tools
  }

  await client.connect(transport, { timeout: startMs }).catch((error) => {
    throw told(error, 'initialize', startMs)
  })

  async function describe(signal: AbortSignal): Promise<PluginDescription> {
    const asked = listing ?? list(signal)
    listing = asked
    try {
      const description = await asked
      isListed = true
      return description
    } finally {
      if (listing === asked) listing = undefined
    }
  }

  /** Waits until the server has answered the calls that were cancelled; one that does not is ended with all that it does. */
  async function stop(): Promise<void> {
    const timer = setTimeout(server.kill, limits.CANCEL_KILL_MS)
    await transport.stopped()
    clearTimeout(timer)
  }

  /** A process may be called before it was asked what it is. */
  async function ownName(name: string, signal: AbortSignal): Promise<string> {
    if (mayBeRenamed(name) && !isListed) await describe(signal)
    return renamed.get(name) ?? name
  }

  return {
    describe,
    async call(name, args, ctx) {
      const call = { ctx, broken: new AbortController() }
      const { signal } = ctx
      // A deadline ends the wait by the signal; the client's own timer is for a call without one.
      const timeout = ctx.deadlineMs === Number.POSITIVE_INFINITY ? limits.MCP_CALL_MS : LONGEST_TIMER_MS
      calls.add(call)
      try {
        const params = { name: await ownName(name, signal), arguments: args }
        const result = await client.request({ method: 'tools/call', params }, anything, {
          signal: AbortSignal.any([signal, call.broken.signal]),
          timeout,
          onprogress: ({ progress, total, message }) => ctx.emitProgress({ progress, total, message }),
        })
        return outputOf(result)
      } catch (error) {
        if (signal.aborted) await stop()
        signal.throwIfAborted()
        call.broken.signal.throwIfAborted()
        const isOurs = error instanceof ProtocolError || error instanceof SdkError
        throw isOurs ? told(error, 'tools/call', timeout) : error
      } finally {
        calls.delete(call)
      }
    },
  }
}
