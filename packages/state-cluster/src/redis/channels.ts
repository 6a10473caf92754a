import type { Redis } from 'ioredis'
import { type Link, type LinkOptions, openLink } from './link.ts'

interface Channel {
  readonly listeners: Set<Listener>
  /** Whether Redis has said that messages come. */
  isConfirmed: boolean
}

/** Who hears a channel. */
export interface Listener {
  onMessage(message: string): void
  /** Called whenever messages may have been missed, and once the first one can come. */
  onMissed?(): void
}

/** What is heard on one connection. */
export type Channels = ReturnType<typeof openChannels>

/** Opens the connection that hears messages. */
export function openChannels(options: Omit<LinkOptions, 'greet'>) {
  const channels = new Map<string, Channel>()

  function confirm(name: string) {
    const channel = channels.get(name)
    if (!channel) return
    channel.isConfirmed = true
    for (const { onMissed } of channel.listeners) onMissed?.()
  }

  async function subscribe(redis: Redis, names: readonly string[]) {
    if (names.length === 0) return
    await redis.subscribe(...names)
    for (const name of names) confirm(name)
  }

  const link: Link = openLink({
    ...options,
    async greet(redis) {
      redis.on('message', (name, message) => {
        for (const { onMessage } of channels.get(name)?.listeners ?? []) onMessage(message)
      })
      let asked: readonly string[] = []
      // What is added while Redis confirms is not told to this connection otherwise.
      for (let left = [...channels.keys()]; left.length > 0; ) {
        await subscribe(redis, left)
        asked = [...asked, ...left]
        left = [...channels.keys()].filter((name) => !asked.includes(name))
      }
    },
    onDown() {
      for (const channel of channels.values()) channel.isConfirmed = false
      options.onDown?.()
    },
  })

  return {
    link,
    /** Hears a channel; what it returns ends that. */
    listen(name: string, listener: Listener): () => void {
      const channel = channels.get(name) ?? { listeners: new Set(), isConfirmed: false }
      channels.set(name, channel)
      const isFirst = channel.listeners.size === 0
      channel.listeners.add(listener)
      const { redis } = link
      // A connection that is lost meanwhile is followed by another, which hears all channels.
      if (isFirst && redis) subscribe(redis, [name]).catch(() => link.drop(redis))
      return () => {
        if (!channel.listeners.delete(listener) || channel.listeners.size > 0) return
        if (channels.get(name) === channel) channels.delete(name)
        link.redis?.unsubscribe(name).catch(() => {})
      }
    },
    /** Resolves once the messages of a channel that somebody listens to come. Throws `BusError` `unavailable`, `closed`. */
    async confirmed(name: string): Promise<void> {
      while (channels.get(name)?.isConfirmed === false) await link.call((redis) => subscribe(redis, [name]))
    },
  }
}
