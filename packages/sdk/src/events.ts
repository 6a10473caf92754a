import { EVENTS_KEPT } from '@svc/contract/browser'
import type { EventPayloads, WindowEvent } from '@svc/contract/client'
import type { HostContext } from '@svc/contract/wire'

/** Events of the window by type, each with its payload; and those that the SDK makes itself. */
export type SdkEvents = {
  [Type in keyof EventPayloads]: (event: WindowEvent<Type & WindowEvent['type']>) => void
} & {
  /** The page's theme, language, focus or styles changed. */
  context: (context: HostContext) => void
  /** Events may be lost, in the page or because the channel was opened again: read jobs and tools again. */
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
  /** Subscribes; events of this type that came before any listener are delivered first. Returns how to unsubscribe. */
  on<Type extends SdkEvent>(type: Type, listener: SdkEvents[Type]): () => void
  /**
   * Hears everything as it comes, and counts as nobody's listener: what came early stays for the app, unless `hear`
   * answers `true`, which says that it has its reader.
   */
  tap(hear: (type: string, payload: unknown) => unknown): () => void
  emit(type: string, payload?: unknown): void
}

/**
 * Passes events on. What comes while nobody listens to its type is kept for the first listener of that
 * type, 256 events in all: an app that is still loading misses nothing. Frames of runs go first, because there are
 * many and they can be had again, then the oldest.
 */
export function createEventHub(): EventHub {
  const listeners = new Map<string, Set<(payload: never) => void>>()
  const taps = new Set<Parameters<EventHub['tap']>[0]>()
  const of = (type: string) => listeners.get(type) ?? new Set()
  let early: { type: string; payload: unknown }[] = []

  /** A listener that throws keeps nobody else from hearing; its error is the document's uncaught error. */
  function callListener(type: string, payload: unknown): boolean {
    const heard = [...of(type)]
    for (const hear of heard) {
      try {
        hear(payload as never)
      } catch (error) {
        reportError(error)
      }
    }
    return heard.length > 0
  }

  return {
    on(type, listener) {
      // One of its own each time, so that stopping one leaves the others.
      const hear = (payload: never) => (listener as (payload: never) => void)(payload)
      const heard = of(type).add(hear)
      listeners.set(type, heard)
      const kept = early.filter((event) => event.type === type)
      if (kept.length > 0) {
        early = early.filter((event) => event.type !== type)
        queueMicrotask(() => {
          // Nobody listens any more (a component that came and went at once): they are kept for the next.
          const unheard = kept.filter(({ payload }) => !callListener(type, payload))
          early = [...unheard, ...early].slice(-EVENTS_KEPT)
        })
      }
      return () => {
        heard.delete(hear)
      }
    },
    tap(hear) {
      taps.add(hear)
      return () => {
        taps.delete(hear)
      }
    },
    emit(type, payload) {
      let read = false
      for (const hear of taps) if (hear(type, payload) === true) read = true
      if (callListener(type, payload) || read) return
      early.push({ type, payload })
      if (early.length > EVENTS_KEPT)
        early.splice(
          Math.max(
            0,
            early.findIndex((event) => event.type === 'rpc.stream'),
          ),
          1,
        )
    },
  }
}

/** Reads an event's text; anything else than an object with a `type` is not an event. */
export function readEvent(text: string): { readonly type: string } | undefined {
  try {
    const event = JSON.parse(text) as { type?: unknown } | null
    return typeof event?.type === 'string' ? (event as { type: string }) : undefined
  } catch {
    return undefined
  }
}
