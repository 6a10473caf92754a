type Listeners<Events> = { [Type in keyof Events]: (payload: never) => void }

/** Listeners by the type of event. */
export interface Emitter<Events extends Listeners<Events>> {
  /** Listens; answers how to stop. */
  on<Type extends keyof Events & string>(type: Type, listener: Events[Type]): () => void
  emit(type: string, payload?: unknown): void
}

/** Makes an emitter whose listeners cannot hurt each other: what one throws goes to `onError`. */
export function createEmitter<Events extends Listeners<Events>>(
  onError: (error: unknown) => void,
): Emitter<Events> {
  const listeners = new Map<string, Set<(payload: never) => void>>()
  const of = (type: string) => listeners.get(type) ?? new Set()
  return {
    on(type, listener) {
      const heard = of(type)
      listeners.set(type, heard.add(listener))
      return () => {
        heard.delete(listener)
      }
    },
    emit(type, payload) {
      for (const listener of [...of(type)]) {
        try {
          listener(payload as never)
        } catch (error) {
          onError(error)
        }
      }
    },
  }
}
