import type { Limits } from '@svc/contract'
import type { Journals } from '@svc/state'
import type { Logger } from 'pino'
import { type Channel, openChannel } from './channel.ts'

/** The journals that are followed here, each once. */
export interface Channels {
  /** The channel of a journal; one that is not followed yet is, from behind the seq `after`. Join it at once. */
  of(journal: string, after: number): Channel
}

/** Opens the channels of a host. They need no close: a channel lives as long as its members. */
export function openChannels(parts: { journals: Journals; limits: Limits; log: Logger }): Channels {
  const channels = new Map<string, Channel>()
  return {
    of(name, after) {
      const known = channels.get(name)
      if (known) return known
      const onOver = () => {
        if (channels.get(name) === channel) channels.delete(name)
      }
      const channel = openChannel({ ...parts, name, after, onOver })
      channels.set(name, channel)
      return channel
    },
  }
}
