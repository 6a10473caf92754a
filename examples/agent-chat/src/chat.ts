import { type AgentSession, isHostRpcError, type Run, svc } from '@svc/sdk'
import type { Message } from './composer.ts'
import { followRun } from './follow-run.ts'
import { createAnswer, createQuestion } from './message.ts'
import { keepPlace, type Place } from './place.ts'
import { runUnderWay, showHistory } from './show-history.ts'
import type { Turns } from './turns.ts'

const LABEL_CHARS = 60
const HISTORY_MAX = 200
const systemPrompt =
  'You help with questions about places. Look towns up with find_place, and let distance measure between them, in place of guessing. Answer briefly, in plain text.'

/** What a chat tells. */
export interface ChatNews {
  /** An answer is under way, or none. */
  busy(isBusy: boolean): void
  /** An answer is whole, or was cut off. */
  answered(text: string): void
  /** A message did not get to the host: it is the user's again. */
  unsent(message: Message): void
  /** A session was made, found or left. */
  moved(): void
}

/** The chat that a window shows. */
export interface Chat {
  readonly session: string | null
  /** Shows a session, and goes on reading what is under way. @throws HostRpcError */
  resume(place: Place): Promise<void>
  /** Leaves the session as it is; the next message begins another one. */
  leave(): void
  /** @throws HostRpcError */
  send(message: Message): Promise<void>
  /** Stops the answer that is under way. */
  stop(): void
}

/** What a window has open. Who leaves it opens another one, and what still comes for it stays out of sight. */
interface Open {
  session?: AgentSession
  stop?: AbortController
}

/** Opens the chat of this window. */
export function openChat(turns: Turns, news: ChatNews): Chat {
  let open: Open = {}
  /** What did not get there: sent again unchanged it is the same run, which the host does once. */
  let unsent: (Message & { readonly id: string }) | undefined

  function leave(): Open {
    open = {}
    turns.clear()
    news.busy(false)
    news.moved()
    return open
  }

  async function follow(mine: Open, run: Run, answer = createAnswer()): Promise<void> {
    turns.add(answer.element)
    const { aborted, error } = await followRun(run, answer)
    if (mine !== open) return
    news.busy(false)
    const parts = [answer.text(), aborted ? 'Stopped.' : '', error?.message ?? '']
    news.answered(parts.filter(Boolean).join(' '))
  }

  /** Makes the session with the first message, which becomes its name. */
  async function ask(mine: Open, { text, images }: Message, id: string): Promise<Run> {
    if (!mine.session) {
      mine.session = await svc.agent.session({ submode: 'auto', label: labelOf(text), systemPrompt })
      news.moved()
    }
    const { appSessionUuid: session } = mine.session
    if (mine === open) await keepPlace({ session, run: { id, text } })
    mine.stop = new AbortController()
    return mine.session.run(text, { runId: id, attachments: [...images], signal: mine.stop.signal })
  }

  return {
    get session() {
      return open.session?.appSessionUuid ?? null
    },

    async resume({ session, run: asked }) {
      const mine = leave()
      const { messages } = await svc.agent.session.history({
        app_session_uuid: session,
        limit: HISTORY_MAX,
      })
      const handle = await svc.agent.session({ appSessionUuid: session }).catch((error: unknown) => {
        // What was said can be read although the session has ended.
        if (mine === open) showHistory(messages, turns)
        throw error
      })
      const stop = new AbortController()
      const run = await attach(handle, runUnderWay(messages, asked?.id), stop.signal)
      if (mine !== open) return
      Object.assign(mine, { session: handle, stop })
      news.moved()
      await keepPlace({ session, run: asked })
      showHistory(messages, turns, run?.runId)
      const isLost = asked !== null && !messages.some(({ run_id }) => run_id === asked.id)
      if (run && isLost) turns.add(createQuestion(asked.text))
      if (run) {
        news.busy(true)
        await follow(mine, run)
      } else if (isLost) news.unsent({ text: asked.text, images: [] })
    },

    leave,

    async send(message) {
      const mine = open
      const id = unsent && isSame(unsent, message) ? unsent.id : crypto.randomUUID()
      const images = message.images.map(({ data = '' }) => data)
      const [question, answer] = [createQuestion(message.text, images), createAnswer()]
      turns.add(question, answer.element)
      answer.wait('Sends …')
      news.busy(true)
      const run = await ask(mine, message, id).catch((error: unknown) => {
        unsent = { ...message, id }
        question.remove()
        answer.element.remove()
        if (mine === open) {
          news.busy(false)
          news.unsent(message)
        }
        throw error
      })
      unsent = undefined
      await follow(mine, run, answer)
    },

    stop: () => open.stop?.abort(),
  }
}

/** The handle of a run; `null` where there is none to read: it is long over, or the host never heard of it. */
async function attach(session: AgentSession, id: string | null, signal: AbortSignal): Promise<Run | null> {
  if (id === null) return null
  try {
    return await session.attach(id, { signal })
  } catch (error) {
    if (isHostRpcError(error) && error.code === 'not_found') return null
    throw error
  }
}

const isSame = (one: Message, other: Message) =>
  one.text === other.text &&
  one.images.length === other.images.length &&
  one.images.every((image, at) => image === other.images[at])

function labelOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length <= LABEL_CHARS ? line : `${line.slice(0, LABEL_CHARS - 1)}…`
}
