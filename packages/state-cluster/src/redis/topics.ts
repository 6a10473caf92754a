import type { Bus } from '@svc/state'
import type { Channels } from './channels.ts'
import type { Link } from './link.ts'
import type { Seal } from './seal.ts'

/** What topics are made of. */
export interface TopicsOptions {
  readonly prefix: string
  readonly link: Link
  readonly channels: Channels
  readonly seal: Seal
  /** Hands what came to the subscribers of this process. */
  readonly local: Bus
}

/** Messages between hosts: each topic is a channel of Redis. What no host with our secret said is not heard. */
export function openTopics({ prefix, link, channels, seal, local }: TopicsOptions) {
  const counts = new Map<string, { subscribers: number; stop: () => void }>()

  function hear(topic: string): () => void {
    const onMessage = (text: string) => {
      const message = seal.open(channelOf(topic), text)
      if (message !== null) void local.publish(topic, message).catch(() => {})
    }
    const count = counts.get(topic) ?? {
      subscribers: 0,
      stop: channels.listen(channelOf(topic), { onMessage }),
    }
    count.subscribers += 1
    counts.set(topic, count)
    let hears = true
    return () => {
      if (!hears) return
      hears = false
      count.subscribers -= 1
      if (count.subscribers > 0) return
      counts.delete(topic)
      count.stop()
    }
  }

  const channelOf = (topic: string) => `${prefix}:topic:${topic}`

  return {
    async publish(topic: string, message: string): Promise<void> {
      const sealed = seal.seal(channelOf(topic), message)
      await link.call((redis) => redis.publish(channelOf(topic), sealed))
    },
    async subscribe(topic: string, fn: (message: string) => void): Promise<() => void> {
      const stopHere = await local.subscribe(topic, fn)
      const stopThere = hear(topic)
      const stop = () => {
        stopHere()
        stopThere()
      }
      try {
        await channels.confirmed(channelOf(topic))
        return stop
      } catch (error) {
        stop()
        throw error
      }
    },
  }
}
