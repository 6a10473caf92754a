import type { PluginSpec, RunnerStats, Subcalls } from '@svc/runner'
import type { AskContext, AskOptions, Stop } from '@svc/state'
import type { Owner } from '../kernel/hosts.ts'
import type { RunnerNeeds } from './services.ts'

/** The link that a request is for: of a newer one, or of none, its host answers `moved`. */
interface RelayedTo {
  readonly runner_id: string
  readonly epoch: number
  /** Whose machine it is. */
  readonly owner: string
  /** Ms that are left of its time: the clocks of two hosts differ. */
  readonly left_ms: number
}

/** A call; its text is the arguments. */
export interface RelayedCall {
  readonly do: 'call'
  readonly user_id: string
  readonly plugin: PluginSpec
  readonly tool: string
  readonly invoke_id: string
  readonly timeout_ms: number
  readonly grace_ms: number
  readonly max_result_bytes: number
  /** The app that calls, and the session that has a process; an older host says neither. */
  readonly app_id?: string
  readonly session?: string
  /** What its plugin may ask of the host that asks here; `null`: nothing. */
  readonly asks: { readonly host_id: string; readonly call: number; readonly sampling_token: string } | null
}

/** What is asked of a machine. */
export type RelayedWork =
  | RelayedCall
  | { readonly do: 'install'; readonly plugin: PluginSpec }
  | { readonly do: 'describe'; readonly plugin: PluginSpec; readonly user_id: string | null }

/** What one host asks of another about machines. */
export type RelayRequest =
  | (RelayedWork & RelayedTo)
  /** A request of a plugin during a call of the host that is asked; its text is the parameters. */
  | { readonly do: 'ask'; readonly call: number; readonly method: Parameters<Subcalls['onRequest']>[0] }
  /** How much is under way on these machines. */
  | { readonly do: 'count'; readonly runner_ids: readonly string[] }
  /** Jobs wait for this machine. */
  | { readonly do: 'take_up'; readonly user_id: string; readonly runner_id: string }

/** What is under way on a machine, by its host. */
export type UnderWay = Readonly<Record<string, { readonly jobs: number; readonly calls: number }>>

/** The head of an answer; the payload or description of one that is `ok` is its text. */
export type RelayAnswer =
  | { readonly is: 'ok' | 'failed'; readonly stats: RunnerStats }
  | { readonly is: 'moved' }
  | { readonly is: 'done'; readonly under_way?: UnderWay }

/** A head and its text; two JSON texts in one would be parsed and written once more. */
export type Answered = readonly [answer: RelayAnswer, text: string]

const KIND = 'machines'

/** Opens what hosts ask each other about machines. Nothing is announced before `me` is asked. */
export function openRelay(
  { bus, hosts }: Pick<RunnerNeeds, 'bus' | 'hosts'>,
  answer: (request: RelayRequest, text: string, context: AskContext) => Promise<Answered>,
) {
  let listening: Promise<Stop> | null = null
  let isClosed = false

  async function onAsk(body: string, context: AskContext): Promise<string> {
    const [request, text] = JSON.parse(body) as [RelayRequest, string]
    return JSON.stringify(await answer(request, text, context))
  }

  return {
    /** This host, which others can ask from here on. */
    async me(): Promise<Owner> {
      const owner = await hosts.me()
      if (isClosed) return owner
      listening ??= bus.answer(owner.host_id, KIND, onAsk).catch((error: unknown) => {
        listening = null
        throw error
      })
      await listening
      return owner
    },
    /** Whether others may have been told of this host. */
    isKnown: (): boolean => listening !== null,
    /** Asks another host. Errors: those of `Bus.ask`. */
    async ask(hostId: string, request: RelayRequest, text: string, options: AskOptions): Promise<Answered> {
      return JSON.parse(await bus.ask(hostId, KIND, JSON.stringify([request, text]), options))
    },
    /** Answers nobody any more. Twice is harmless. */
    async close(): Promise<void> {
      isClosed = true
      const stop = await listening?.catch(() => undefined)
      stop?.()
    },
  }
}

/** What hosts ask each other about machines. */
export type Relay = ReturnType<typeof openRelay>
