import type { HistoryPart } from '@svc/contract/client'
import type { HostRpcError } from '../errors.ts'
import type { Run } from '../run.ts'
import type { AgentSession, SessionOptions } from '../session.ts'
import type { Svc } from '../svc.ts'
import type { SendOptions, SessionActions, SessionState } from './session.ts'
import { addPart, createMessage, messagesOf, type SessionMessage } from './session-messages.ts'
import type { OwnState } from './state.ts'

/** The messages of a history that are shown: as many as the host returns. */
const HISTORY_LIMIT = 200

/** Makes what sends and reads the messages of a session, for a state that shows it; one that is known is found at once. */
export function createReplies(
  { agent }: Pick<Svc, 'agent'>,
  options: SessionOptions,
  isKnown: boolean,
  { get, change }: Pick<OwnState<SessionState>, 'get' | 'change'>,
): SessionActions {
  const unsent = new Map<string, Promise<SessionMessage>>()
  const attached = new Map<string, Promise<SessionMessage>>()
  const running = new Map<string, AbortController>()
  let opening: Promise<AgentSession> | undefined
  let finding: Promise<void> | undefined
  let messageCount = 0

  const settle = (error?: HostRpcError) =>
    change({ error, state: running.size > 0 ? 'running' : error ? 'failed' : 'ready' })

  function open(): Promise<AgentSession> {
    opening ??= agent.session(options).then(
      (session) => {
        change({ session })
        return session
      },
      (error) => {
        opening = undefined
        throw error
      },
    )
    return opening
  }

  async function readHistory(): Promise<void> {
    try {
      const { messages } = await (await open()).history({ limit: HISTORY_LIMIT })
      change({ messages: messagesOf(messages) })
      settle()
    } catch (error) {
      finding = undefined
      settle(error as HostRpcError)
    }
  }

  /** Finds the session and its history; once, and again after it failed. */
  async function find(): Promise<void> {
    if (isKnown) finding ??= readHistory()
    await finding
  }

  function add(role: SessionMessage['role'], runId?: string): string {
    const id = `${++messageCount}/${role}`
    change({ messages: [...get().messages, createMessage({ id, role, state: 'done', runId })] })
    return id
  }
  const messageOf = (id: string) => get().messages.find((message) => message.id === id) as SessionMessage
  const replace = (id: string, next: (message: SessionMessage) => SessionMessage) =>
    change({ messages: get().messages.map((message) => (message.id === id ? next(message) : message)) })
  const patch = (id: string, news: Partial<SessionMessage>) =>
    replace(id, (message) => ({ ...message, ...news }))
  const push = (id: string, part: HistoryPart) => replace(id, (message) => addPart(message, part))

  /** Shows a run to its end. */
  function follow(run: Run, id: string): Promise<void> {
    patch(id, { runId: run.runId })
    run.on('text', (text) => push(id, { type: 'text', text }))
    run.on('tool_call', ({ id: tool_call_id, function: { name, arguments: args } }) =>
      push(id, { type: 'tool_call', tool_call_id, name, arguments: args }),
    )
    run.on('tool_result', (result) => push(id, { type: 'tool_result', ...result }))
    return new Promise((resolve, reject) => {
      run.on('lost', reject)
      run.on('end', ({ aborted, error }) => {
        if (error) return reject(error)
        patch(id, { state: aborted ? 'cancelled' : 'done' })
        resolve()
      })
    })
  }

  /** Shows a reply: `begin` begins its run, or finds it. */
  async function reply(
    id: string,
    begin: (session: AgentSession, signal: AbortSignal) => Promise<Run>,
  ): Promise<SessionMessage> {
    const stop = new AbortController()
    running.set(id, stop)
    patch(id, { state: 'running' })
    change({ state: 'running', error: undefined })
    let failure: HostRpcError | undefined
    try {
      await follow(await begin(await open(), stop.signal), id)
    } catch (error) {
      const { code } = error as HostRpcError
      if (stop.signal.aborted && code === 'cancelled') patch(id, { state: 'cancelled' })
      else {
        failure = error as HostRpcError
        patch(id, { state: 'failed', error: failure })
      }
    }
    running.delete(id)
    settle(failure)
    return messageOf(id)
  }

  async function sendNew(content: string, sendOptions?: SendOptions): Promise<SessionMessage> {
    await undefined
    unsent.delete(content)
    await find()
    push(add('user'), { type: 'text', text: content })
    return await reply(add('assistant'), (session, signal) =>
      session.run(content, { ...sendOptions, signal }),
    )
  }

  async function readAgain(runId: string): Promise<SessionMessage> {
    await find()
    const shown = get().messages.find((message) => message.role === 'assistant' && message.runId === runId)
    const id = shown?.id ?? add('assistant', runId)
    patch(id, { text: '', parts: [], error: undefined })
    return await reply(id, (session, signal) => session.attach(runId, { signal }))
  }

  void find()
  return {
    send(content, sendOptions) {
      // React's StrictMode runs each effect twice in one tick: what an effect says is said once.
      const sending = unsent.get(content) ?? sendNew(content, sendOptions)
      unsent.set(content, sending)
      return sending
    },
    attach(runId) {
      const reading = attached.get(runId) ?? readAgain(runId).finally(() => attached.delete(runId))
      attached.set(runId, reading)
      return reading
    },
    cancel() {
      for (const stop of running.values()) stop.abort()
    },
  }
}
