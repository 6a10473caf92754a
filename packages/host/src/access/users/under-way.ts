import type { AccessServices } from '../services.ts'
import type { OpenUsers } from './users.ts'

/** Whose a call or a request is. */
export interface CallScope {
  readonly userId: string
  /** Left out: of no app, or of all of them. */
  readonly appId?: string
  readonly windowUuid?: string
}

/** A call under way, which ends with its window and with the access of its user. */
export interface CallUnderWay {
  /** Fires when the caller is no longer there, or may act no more. */
  gone(): AbortSignal
  leave(): void
}

interface Entry {
  readonly whose: CallScope
  cut(): void
  /** Who waits for its end. */
  waiting: (() => void)[] | undefined
}

const TOPIC = 'under_way'

/** Opens the calls under way. A signal is made for those alone that ask for it: most calls wait for nothing. */
export function openUnderWay({
  bus,
  log,
  users,
}: Pick<AccessServices, 'bus' | 'log'> & { readonly users: Pick<OpenUsers, 'onEnd'> }) {
  const byUser = new Map<string, Set<Entry>>()
  const those = ({ userId, appId, windowUuid }: CallScope) =>
    [...(byUser.get(userId) ?? [])].filter(
      ({ whose }) =>
        (appId === undefined || whose.appId === appId) &&
        (windowUuid === undefined || whose.windowUuid === windowUuid),
    )
  const listeners: ((whose: CallScope) => void)[] = []
  const cut = (whose: CallScope) => {
    for (const entry of those(whose)) entry.cut()
    for (const listener of listeners) listener(whose)
  }
  users.onEnd(({ user_id: userId, sign_in }) => {
    if (sign_in === undefined) cut({ userId })
  })
  const listening = bus.subscribe(TOPIC, (text) => cut(JSON.parse(text)))
  listening.catch((err: unknown) =>
    log.warn({ err }, 'the ends of windows at other hosts cannot be received'),
  )

  return {
    enter(whose: CallScope, gone: () => AbortSignal): CallUnderWay {
      const { userId } = whose
      let isCut = false
      let own: AbortController | undefined
      const entry: Entry = {
        whose,
        waiting: undefined,
        cut() {
          isCut = true
          own?.abort()
        },
      }
      const calls = byUser.get(userId) ?? new Set()
      if (calls.size === 0) byUser.set(userId, calls)
      calls.add(entry)
      return {
        gone() {
          own ??= following(gone())
          if (isCut) own.abort()
          return own.signal
        },
        leave() {
          calls.delete(entry)
          if (calls.size === 0 && byUser.get(userId) === calls) byUser.delete(userId)
          for (const resolve of entry.waiting ?? []) resolve()
        },
      }
    },
    /** Calls a listener for each user, app or window whose calls end, after they were told. */
    onCut: (listener: (whose: CallScope) => void) => void listeners.push(listener),
    /** Ends those of a user, or of one of his apps or windows, on this host. */
    cut,
    /** The same on every host of the store. Where another host misses it, its calls end by their deadlines. */
    cutEverywhere(whose: CallScope): void {
      cut(whose)
      bus.publish(TOPIC, JSON.stringify(whose)).catch((err: unknown) => {
        log.warn({ err }, 'the other hosts could not be notified that calls have ended')
      })
    },
    /** Stops listening to other hosts. */
    async close(): Promise<void> {
      const stop = await listening.catch(() => undefined)
      stop?.()
    },
    /** Resolves when those that are under way now have ended; `null`: there are none. */
    over(whose: CallScope): Promise<void> | null {
      const open = those(whose)
      if (open.length === 0) return null
      const ends = open.map(
        (entry) =>
          new Promise<void>((resolve) => {
            entry.waiting = [...(entry.waiting ?? []), resolve]
          }),
      )
      return Promise.all(ends).then(() => undefined)
    },
  }
}

/** The calls, and the requests of users to routes, that are under way on this host. */
export type UnderWay = ReturnType<typeof openUnderWay>

/** A controller that aborts when the signal of the caller does: `AbortSignal.any` would cost each call of a tool more. */
function following(caller: AbortSignal): AbortController {
  const own = new AbortController()
  const abort = () => own.abort(caller.reason)
  if (caller.aborted) abort()
  else caller.addEventListener('abort', abort, { once: true })
  return own
}
