import { EVENTS_KEPT } from '@svc/contract/browser'
import type { HostContext } from '@svc/contract/wire'
import { type BundleClient, createBundleClient } from './bundle-client.ts'
import { type Channel, type ChannelEnds, createChannel } from './channel.ts'
import type { Clock } from './clock.ts'
import type { FloodGate } from './flood-gate.ts'
import type { Forward } from './forward.ts'
import type { Call } from './texts.ts'

/** What a link needs, and whom it tells. */
export interface LinkParts {
  readonly forward: Forward
  readonly clock: Clock
  /** Counts what the document says on its port. */
  readonly gate: FloodGate
  readonly onConnected: (epoch: number) => void
  readonly onDisconnected: () => void
  /** An answer on its way to the document. */
  readonly onAnswer: (call: Call, text: string) => void
}

/** A window's link to the document that stands in its iframe just now. */
export interface DocumentLink {
  /** A document said hello: the one before is over. */
  hello(callsPort: MessagePort, bundlePort: MessagePort): void
  /** The iframe loaded: with no hello since the load before, nobody in it speaks to us any more. */
  loaded(): void
  /** An event for the document; kept while none listens. */
  event(text: string): void
  reset(): void
  setContext(context: HostContext): void
  /** Asks the document whether the window may close. */
  mayClose(reason: string | null): Promise<boolean>
  /** Asks the document for a sign of life; returns at how many looks in a row it owes one. */
  look(): number
  end(): void
  readonly connected: boolean
}

interface Epoch {
  readonly channel: Channel
  readonly bundle: BundleClient
  readonly calls: Map<number, Call>
}

/**
 * Keeps the epochs of a window (docs/decisions/0018-handshake-by-ports.md): a new hello, a port that closes, or a load
 * without a hello ends the epoch; its ports are closed and its waiting calls answered `bridge_reset`.
 */
export function createDocumentLink(parts: LinkParts): DocumentLink {
  const { forward, clock } = parts
  let count = 0
  let epoch: Epoch | undefined
  let helloSinceLoad = false
  let kept: string[] = []
  let keptReset = false
  let context: HostContext | undefined

  function start(callsPort: MessagePort, bundlePort: MessagePort): Epoch {
    const calls = new Map<number, Call>()
    const ends: ChannelEnds = {
      calls(list) {
        forward.take(
          list.map((asked) => {
            const { id } = asked
            const call: Call = {
              ...asked,
              id: String(id),
              answer(text) {
                if (!calls.delete(id)) return
                parts.onAnswer(call, text)
                channel.answer(id, text)
              },
            }
            calls.set(id, call)
            return call
          }),
        )
      },
      drop(id) {
        const call = calls.get(id)
        calls.delete(id)
        if (call) forward.drop(call)
      },
      gone: end,
    }
    const channel = createChannel(callsPort, ends, parts.gate)
    return { channel, calls, bundle: createBundleClient(bundlePort, clock, parts.gate) }
  }

  function end(): void {
    const over = epoch
    if (!over) return
    epoch = undefined
    const waiting = [...over.calls.values()]
    over.calls.clear()
    over.channel.end()
    over.bundle.close()
    forward.forget(waiting)
    parts.onDisconnected()
  }

  return {
    hello(callsPort, bundlePort) {
      end()
      helloSinceLoad = true
      epoch = start(callsPort, bundlePort)
      epoch.channel.welcome(++count)
      if (keptReset) epoch.channel.reset()
      if (kept.length > 0) epoch.channel.events(kept)
      kept = []
      keptReset = false
      if (context) epoch.bundle.setContext(context)
      parts.onConnected(count)
    },
    loaded() {
      if (!helloSinceLoad) end()
      helloSinceLoad = false
    },
    event(text) {
      if (epoch) return epoch.channel.events([text])
      kept.push(text)
      if (kept.length > EVENTS_KEPT) kept.shift()
    },
    reset() {
      if (epoch) epoch.channel.reset()
      else keptReset = true
    },
    setContext(news) {
      context = news
      epoch?.bundle.setContext(news)
    },
    mayClose: async (reason) => epoch?.bundle.mayClose(reason) ?? true,
    look: () => epoch?.bundle.look() ?? 0,
    end,
    get connected() {
      return !!epoch
    },
  }
}
