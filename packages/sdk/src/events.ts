import type { EventPayloads, WindowEvent } from '@svc/contract'
import { EVENTS_KEPT } from '@svc/contract/browser'
import type { HostContext } from '@svc/contract/wire'
import { EventEmitter } from 'eventemitter3'

/** Events of the window by type, each with its payload; and those that the SDK makes itself. */
export type SdkEvents = {
  [Type in keyof EventPayloads]: (event: WindowEvent<Type & WindowEvent['type']>) => void
} & {
  /** The page's theme, language or focus changed. */
  context: (context: HostContext) => void
  /** The event stream lost its place: read jobs and tools again. */
  reset: () => void
  /** The page took the document in; `epoch` counts the documents of the window from 1. */
  connected: (epoch: number) => void
  /** The channel to the page is gone; the next call opens a new one. */
  disconnected: () => void
}

/** The name of an event that a document can listen to. */
export type SdkEvent = keyof SdkEvents

/** The events of a document. */
export interface EventHub {
  /** Listens, and hears first what came before anybody listened to this type. Answers how to stop. */
  on<Type extends SdkEvent>(type: Type, listener: SdkEvents[Type]): () => void
  emit(type: string, payload?: unknown): void
}

/**
 * Passes events on. What comes while nobody listens to its type is kept for the first listener of that
 * type, 256 events in all, the oldest go first: an app that is still loading misses nothing.
 */
export function createEventHub(): EventHub {
  const emitter = new EventEmitter()
  let early: { type: string; payload: unknown }[] = []

  /** A listener that throws keeps nobody else from hearing; its error is the document's uncaught error. */
  function tell(type: string, payload: unknown): boolean {
    const listeners = emitter.listeners(type)
    for (const listener of listeners) {
      try {
        listener(payload)
      } catch (error) {
        reportError(error)
      }
    }
    return listeners.length > 0
  }

  return {
    on(type, listener) {
      emitter.on(type, listener)
      const kept = early.filter((event) => event.type === type)
      if (kept.length > 0) {
        early = early.filter((event) => event.type !== type)
        queueMicrotask(() => {
          // Nobody listens any more (a component that came and went at once): they are kept for the next.
          const unheard = kept.filter(({ payload }) => !tell(type, payload))
          early = [...unheard, ...early].slice(-EVENTS_KEPT)
        })
      }
      return () => {
        emitter.off(type, listener)
      }
    },
    emit(type, payload) {
      if (tell(type, payload)) return
      early.push({ type, payload })
      if (early.length > EVENTS_KEPT) early.shift()
    },
  }
}

/** Reads an event's text; anything else than an object with a `type` is no event. */
export function readEvent(text: string): { readonly type: string } | undefined {
  try {
    const event = JSON.parse(text) as { type?: unknown } | null
    return typeof event?.type === 'string' ? (event as { type: string }) : undefined
  } catch {
    return undefined
  }
}
