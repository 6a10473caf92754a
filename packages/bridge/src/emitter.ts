import { EVENTS_KEPT } from '@svc/contract/browser'

type Listeners<Events> = { [Type in keyof Events]: (payload: never) => void }

/** Listeners by the type of event. */
export interface Emitter<Events extends Listeners<Events>> {
  /** Listens; returns how to stop. */
  on<Type extends keyof Events & string>(type: Type, listener: Events[Type]): () => void
  /** `unheard` is called where nobody listens. */
  emit(type: string, payload?: unknown, unheard?: () => void): void
  /** The same with a payload that is made only for who listens; what `read` throws goes to `onError`. */
  emitRead(type: string, read: () => unknown): void
  /** Keeps what is emitted, the newest `EVENTS_KEPT`; returns how to tell it, in its order, and what follows at once. */
  hold(): () => void
}

/** Makes an emitter whose listeners cannot hurt each other: what one throws goes to `onError`. */
export function createEmitter<Events extends Listeners<Events>>(
  onError: (error: unknown) => void,
): Emitter<Events> {
  const listeners = new Set<readonly [type: string, listener: (payload: never) => void]>()
  let kept: [type: string, read: () => unknown, unheard: (() => void) | undefined][] | undefined

  function emitRead(type: string, read: () => unknown, unheard?: () => void): void {
    if (kept) {
      kept.push([type, read, unheard])
      if (kept.length > EVENTS_KEPT) kept.shift()
      return
    }
    const now = [...listeners].filter(([heard]) => heard === type)
    if (now.length === 0) unheard?.()
    for (const [, listener] of now) {
      try {
        listener(read() as never)
      } catch (error) {
        onError(error)
      }
    }
  }

  return {
    on(type, listener) {
      const heard = [type, listener] as const
      listeners.add(heard)
      return () => {
        listeners.delete(heard)
      }
    },
    emit: (type, payload, unheard) => emitRead(type, () => payload, unheard),
    emitRead,
    hold() {
      kept = []
      return () => {
        const held = kept ?? []
        kept = undefined
        for (const event of held) emitRead(...event)
      }
    },
  }
}
