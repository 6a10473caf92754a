import { Client, ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { limits } from '@svc/contract/limits'
import { isSemver } from '@svc/contract/semver'
import { NOT_TAKEN, type PluginDescription } from '@svc/contract/stdio'
import { type Context, RpcError } from '@svc/plugin'
import own from '../package.json' with { type: 'json' }
import { sample } from './sampling.ts'
import type { ServerProcess } from './server-process.ts'
import { fieldsOf, toolsOf } from './tool-list.ts'
import { type McpOutput, outputOf } from './tool-result.ts'
import { openTransport } from './transport.ts'

/** The MCP client of one server. */
export interface Session {
  /**
   * The server as a plugin describes itself; its tools are asked for again once it told that they changed. `signal` is
   * to fire `MCP_START_MS` after the question came.
   */
  describe(signal: AbortSignal): Promise<PluginDescription>
  /** Errors: `RpcError` for what the server refuses or cannot do, `Error` for what its tool reports. */
  call(name: string, args: Readonly<Record<string, unknown>>, ctx: Context): Promise<McpOutput>
}

/** What a session is opened with. */
export interface SessionOptions {
  readonly sampling: boolean
  /** Takes a line for people. */
  readonly log: (sentence: string) => void
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

/** Results are read where they are used: of a list, one wrong tool costs that tool. */
const anything = {
  '~standard': { version: 1, vendor: 'svc', validate: (value: unknown) => ({ value }) },
} as const

/** A call under way. */
interface Call {
  readonly ctx: Context
  readonly broken: AbortController
}

/** Shakes hands with a server, within `MCP_START_MS`. Errors: `RpcError`. */
export async function openSession(
  server: ServerProcess,
  { sampling, log, onEnd }: SessionOptions,
): Promise<Session> {
  const calls = new Set<Call>()
  let ended: string | undefined
  let listed: Promise<PluginDescription> | undefined

  const transport = openTransport(server, {
    log,
    onTooLong() {
      const max = limits.LINE_MAX_BYTES
      const error = new RpcError(`a line of the MCP server must be at most ${max} bytes, got more`)
      for (const { broken } of calls) broken.abort(error)
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
    listed = undefined
  })
  client.setNotificationHandler('notifications/message', { params: anything }, (params) => {
    const { level, logger, data } = fieldsOf(params) ?? {}
    const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
    log(`[${level}] ${logger ?? ''}: ${text}`.slice(0, limits.STDERR_LINE_MAX_BYTES))
  })

  /** A request of the server belongs to the call under way: nothing on the wire says to which of two. */
  function onlyCall(): Call {
    const [call, ...others] = calls
    if (call && others.length === 0) return call
    throw new RpcError(
      call ? 'two calls are under way, so it is not known whose this is' : 'no call is under way',
      INVALID_REQUEST,
    )
  }

  /** An error of the client in words that name the server. */
  function told(error: unknown, method: string, timeout: number): unknown {
    if (ended !== undefined) {
      const isLast = fieldsOf(server.unread)?.method === 'tools/call' && calls.size === 1
      const isTaken = method === 'tools/call' && !isLast
      const sentence = `the MCP server ${ended} before it answered ${method}`
      return new RpcError(sentence, undefined, isTaken ? undefined : { name: NOT_TAKEN })
    }
    if (error instanceof ProtocolError) return new RpcError(error.message, error.code)
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
      return new RpcError(`the MCP server did not answer ${method} within ${timeout} ms`)
    return new RpcError(`${method}: ${error instanceof Error ? error.message : String(error)}`)
  }

  async function list(signal: AbortSignal): Promise<PluginDescription> {
    const { name = '', version = '' } = client.getServerVersion() ?? {}
    return {
      name: name.slice(0, limits.PLUG_NAME_MAX_CHARS) || 'mcp',
      ...(isSemver(version) && version.length <= limits.PLUG_VERSION_MAX_CHARS && { version }),
      tools: toolsOf(client.getServerCapabilities()?.tools ? await pages(signal) : [], log),
      ...(sampling && { host_capabilities: ['llm.sample'] }),
    }
  }

  async function pages(signal: AbortSignal): Promise<unknown[]> {
    const tools: unknown[] = []
    const timeout = limits.MCP_START_MS
    let cursor: unknown
    for (let page = 0; page < limits.MCP_PAGES_MAX; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const result: unknown = await client
        .request({ method: 'tools/list', params }, anything, { signal, timeout })
        .catch((error) => {
          throw told(error, 'tools/list', timeout)
        })
      const { tools: more, nextCursor } = fieldsOf(result) ?? {}
      if (!Array.isArray(more))
        throw new RpcError('the MCP server answered tools/list without a list of tools')
      tools.push(...more)
      if (typeof nextCursor !== 'string' || nextCursor === '') return tools
      cursor = nextCursor
    }
    log(`its list of tools was read up to page ${limits.MCP_PAGES_MAX}`)
    return tools
  }

  await client.connect(transport, { timeout: limits.MCP_START_MS }).catch((error) => {
    throw told(error, 'initialize', limits.MCP_START_MS)
  })

  return {
    async describe(signal) {
      const asked = listed ?? list(signal)
      listed = asked
      try {
        return await asked
      } catch (error) {
        if (listed === asked) listed = undefined
        throw error
      }
    },
    async call(name, args, ctx) {
      const call = { ctx, broken: new AbortController() }
      const { signal } = ctx
      // A deadline ends the wait by the signal; the client's own timer is for a call without one.
      const timeout = ctx.deadlineMs === Number.POSITIVE_INFINITY ? limits.MCP_CALL_MS : LONGEST_TIMER_MS
      calls.add(call)
      try {
        const params = { name, arguments: args }
        const result = await client.request({ method: 'tools/call', params }, anything, {
          signal: AbortSignal.any([signal, call.broken.signal]),
          timeout,
          onprogress: ({ progress, total, message }) => ctx.emitProgress({ progress, total, message }),
        })
        return outputOf(result)
      } catch (error) {
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
