import type { Batch } from '@svc/state'
import type { Channels } from './channels.ts'
import { TOKEN_CHARS } from './scripts.ts'

/** What a wake-up may know: items that this process appended, and to which life of the journal. */
export interface Wake {
  readonly life: string
  readonly batch: Batch
}

/** Hears that there may be more in a journal. */
type OnWake = (wake?: Wake) => void

interface Shared {
  readonly names: Map<string, Set<OnWake>>
  readonly stop: () => void
}

/** Who waits for more in journals, here and on other hosts. */
export type Wakes = ReturnType<typeof openWakes>

/** Channels that all journals share, so that a connection hears few of them. */
const CHANNELS = 64
/** Tokens of our own appends whose messages have not come; beyond, they are taken for those of others. */
const OWN_MAX = 10_000

/** Opens the wake-ups of journals. */
export function openWakes(prefix: string, channels: Channels) {
  const waiting = new Map<string, Shared>()
  const own = new Set<string>()

  const channelOf = (name: string) => `${prefix}:wake:${hashOf(name) % CHANNELS}`

  function poke(name: string, wake?: Wake) {
    for (const onWake of waiting.get(channelOf(name))?.names.get(name) ?? []) onWake(wake)
  }

  function pokeShared({ names }: Shared) {
    for (const those of names.values()) for (const onWake of those) onWake()
  }

  /** A message that none of our hosts sent says that something was done, and not what. */
  function onMessage(channel: string, message: string) {
    const texts = textsOf(message)
    if (texts === null) return pokeShared(waiting.get(channel) as Shared)
    for (const text of texts) if (!own.delete(text.slice(0, TOKEN_CHARS))) poke(text.slice(TOKEN_CHARS))
  }

  function share(channel: string): Shared {
    const names = new Map<string, Set<OnWake>>()
    const onMissed = () => pokeShared(shared)
    const shared: Shared = {
      names,
      stop: channels.listen(channel, { onMessage: (message) => onMessage(channel, message), onMissed }),
    }
    waiting.set(channel, shared)
    return shared
  }

  return {
    channelOf,
    /** What other hosts are told of an append, or of a drop. */
    messageOf: (token: string, name: string) => JSON.stringify(token + name),
    /** Whether somebody here waits for more in a journal. */
    isAwaited: (name: string) => waiting.get(channelOf(name))?.names.has(name) ?? false,
    /** The message with this token of ours is not heard, as its sender pokes. */
    expect(token: string) {
      if (own.size >= OWN_MAX) own.clear()
      own.add(token)
    },
    /** It is heard: it may come long after its sender gave up. */
    unexpect: (token: string) => void own.delete(token),
    /** No message that is under way comes any more. */
    onDown: () => own.clear(),
    poke,
    /** Calls all who wait, whatever for. */
    pokeAll() {
      for (const shared of waiting.values()) pokeShared(shared)
    },
    /** Calls `onWake` whenever there may be more in a journal; what it returns ends that. */
    listen(name: string, onWake: OnWake): () => void {
      const channel = channelOf(name)
      const shared = waiting.get(channel) ?? share(channel)
      const those = shared.names.get(name) ?? new Set()
      shared.names.set(name, those.add(onWake))
      return () => {
        if (!those.delete(onWake) || those.size > 0) return
        shared.names.delete(name)
        if (shared.names.size > 0) return
        waiting.delete(channel)
        shared.stop()
      }
    },
  }
}

/** FNV-1a, over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

/** Reads a message; null: it is none of ours. */
function textsOf(message: string): readonly string[] | null {
  try {
    const read: unknown = JSON.parse(message)
    return Array.isArray(read) && read.every((text) => typeof text === 'string') ? read : null
  } catch {
    return null
  }
}
