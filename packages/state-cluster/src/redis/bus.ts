import { randomBytes } from 'node:crypto'
import { type Clock, keepAliveClock, systemClock } from '@svc/node'
import { type Bus, memoryBus } from '@svc/state'
import { BusError, openTroubles } from '@svc/state/driver'
import { openChannels } from './channels.ts'
import { greetServer } from './greeting.ts'
import { redisJournals } from './journals.ts'
import { openLink } from './link.ts'
import { TOKEN_CHARS } from './scripts.ts'
import { openSeal } from './seal.ts'
import { openTopics } from './topics.ts'
import { openWakes } from './wakes.ts'

/** Where a bus is, and its bounds. */
export interface RedisBusOptions {
  /** Where Redis is: `redis://user:password@host:port/0`, or `rediss:` for TLS. */
  readonly url: string
  /** Begins the name of every key and channel; hosts with the same prefix share one bus. Left out: `svc`. */
  readonly prefix?: string | undefined
  /** The secret of all hosts, which signs what they say to each other; left out, the prefix: for a bus that is alone. */
  readonly secret?: string | undefined
  /** How long a call waits for Redis, in ms: for an answer, and for a connection where it is lost. Left out: 5000. */
  readonly waitMs?: number | undefined
  /** Stamps what is appended and judges deadlines; left out: the machine's. */
  readonly clock?: Clock | undefined
  /** Hears what a subscriber threw, and what an operator should change; without it the process warns. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** What asks and answers other hosts; left out: questions are answered within this process. */
  readonly asks?: Pick<Bus, 'ask' | 'answer' | 'close'> | undefined
}

/** A bus on Redis. */
export interface RedisBus extends Bus {
  /** Why Redis cannot be used just now, one sentence that names no address; null while it can. */
  trouble(): string | null
}

const WAIT_MS = 5000
const ID_BYTES = 6
/** How long the key of a probe stays. */
const PROBE_MS = 60_000

/**
 * Opens a bus on Redis 7 or newer, or Valkey, which all hosts with the same prefix share. Throws `BusError` `unavailable`
 * where Redis does not answer within `waitMs`, or refuses.
 */
export async function openRedisBus(options: RedisBusOptions): Promise<RedisBus> {
  const { url, prefix = 'svc', waitMs = WAIT_MS, clock = systemClock, onError = warn } = options
  const local = memoryBus({ clock, onError })
  const { asks = local, secret = prefix } = options
  const troubles = openTroubles({
    clock: keepAliveClock,
    // A write: a server that is full, or a replica, answers everything else.
    probe: () => link.call((redis) => redis.set(`${prefix}:probe`, '', 'PX', PROBE_MS)),
  })
  const closing = new AbortController()
  const alive = () => {
    if (closing.signal.aborted) throw new BusError('closed', 'the bus is closed')
  }
  let epoch = ''
  let epochs = 0
  let warned: string | null = null
  const link = openLink({
    url,
    clock: keepAliveClock,
    waitMs,
    onTrouble: (sentence) => troubles.note('redis', sentence),
    async greet(redis) {
      const greeting = await greetServer(redis, prefix, newId)
      if (greeting.warning !== null && greeting.warning !== warned) onError(new Error(greeting.warning))
      warned = greeting.warning
      if (greeting.epoch !== epoch) {
        epoch = greeting.epoch
        epochs += 1
      }
      // Some saw nothing while Redis was away, and waited.
      wakes.pokeAll()
    },
  })
  const channels = openChannels({ url, clock: keepAliveClock, waitMs, onDown: () => wakes.onDown() })
  // Channels are of the whole server: those of another database are others.
  const heard = `${prefix}@${new URL(url).pathname.slice(1) || '0'}`
  const wakes = openWakes(heard, channels)
  const newToken = tokens()
  const seal = openSeal({ secret, newNonce: newToken, onError })
  const topics = openTopics({ prefix: heard, link, channels, seal, local })

  async function close() {
    closing.abort()
    troubles.close()
    link.close()
    channels.link.close()
    await asks.close()
    await local.close()
  }

  try {
    await Promise.all([link.call((redis) => redis.ping()), channels.link.call((redis) => redis.ping())])
  } catch (error) {
    await close()
    throw error
  }

  return {
    get epoch() {
      return epoch
    },
    journal: redisJournals({
      link,
      wakes,
      prefix,
      clock,
      newToken,
      epochs: () => epochs,
      alive,
      closing: closing.signal,
    }),
    async publish(topic, message) {
      alive()
      await topics.publish(topic, message)
    },
    async subscribe(topic, fn) {
      alive()
      return topics.subscribe(topic, fn)
    },
    ask: asks.ask,
    answer: asks.answer,
    trouble: troubles.current,
    close,
  }
}

const newId = () => randomBytes(ID_BYTES).toString('base64url')

/** Makes tokens of one length: a random number of this bus, and how many there were. */
function tokens(): () => string {
  const id = newId()
  let count = 0
  return () => {
    count += 1
    return id + count.toString(36).padStart(TOKEN_CHARS - id.length, '0')
  }
}

const warn = (error: unknown) => process.emitWarning(error instanceof Error ? error : String(error))
