import { randomBytes } from 'node:crypto'
import type { ItemPiece, JournalPiece } from '@svc/state/portable'
import type { ChainableCommander } from 'ioredis'
import { journalKey } from '../redis/journals.ts'
import { TIME_CHARS, TOKEN_CHARS } from '../redis/scripts.ts'
import { ClusterError } from './cluster-error.ts'
import { journalNames, keysLike } from './read-journals.ts'
import type { Connections } from './servers.ts'

/** What goes to Redis at once: commands, and bytes of items unless one alone has more. */
const BATCH_COMMANDS = 500
const BATCH_BYTES = 1_048_576

/** The prefix that journals have until all of them are there; no cluster has such a name. */
const besideOf = (prefix: string) => `${prefix}-importing`

/**
 * Puts journals into Redis, under another prefix until `publish` renames them. A mark says that an import is under way, so
 * that the next one removes what is left of one that was killed.
 */
export function openJournalLoader({ ask, name: prefix }: Connections) {
  const beside = besideOf(prefix)
  const names: { name: string; hasItems: boolean }[] = []
  let batch: ((pipeline: ChainableCommander) => void)[] = []
  let bytes = 0
  let journal = { name: '', first: 1, tail: 0, bytes: 0, life: '' }
  let items: string[] = []

  async function send(): Promise<void> {
    const commands = batch
    batch = []
    bytes = 0
    if (commands.length === 0) return
    await ask(async (redis) => {
      const pipeline = redis.pipeline()
      for (const command of commands) command(pipeline)
      for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error
    })
  }

  async function add(command: (pipeline: ChainableCommander) => void): Promise<void> {
    batch.push(command)
    if (batch.length >= BATCH_COMMANDS || bytes >= BATCH_BYTES) await send()
  }

  async function pushItems(): Promise<void> {
    const key = journalKey(beside, journal.name, 'i')
    const pushed = items
    items = []
    if (pushed.length > 0) await add((pipeline) => pipeline.rpush(key, ...pushed))
  }

  async function endJournal(): Promise<void> {
    if (journal.life === '') return
    await pushItems()
    const { name, tail, first, life } = journal
    const head = `${tail} ${first} ${journal.bytes} ${life}`
    names.push({ name, hasItems: first <= tail })
    journal = { ...journal, life: '' }
    await add((pipeline) => pipeline.set(journalKey(beside, name, 'h'), head))
  }

  /** Gives the journals another prefix. */
  async function move(from: string, to: string): Promise<void> {
    for (const { name, hasItems } of names) {
      if (hasItems)
        await add((pipeline) => pipeline.rename(journalKey(from, name, 'i'), journalKey(to, name, 'i')))
      await add((pipeline) => pipeline.rename(journalKey(from, name, 'h'), journalKey(to, name, 'h')))
    }
    await send()
  }

  return {
    /** Holds Redis to be empty. Throws `ClusterError`. */
    async begin(): Promise<void> {
      const isLeft = (await ask((redis) => redis.exists(beside))) === 1
      if (isLeft) await removeAll()
      const [found] = await journalNames(ask, prefix)
      if (found !== undefined)
        throw new ClusterError(
          'not_empty',
          `Redis is not empty: it has the journal ${JSON.stringify(found)} of ${prefix}`,
          'Choose another name, or an empty Redis; nothing is overwritten.',
        )
      await ask((redis) => redis.set(beside, ''))
    },
    async add(piece: JournalPiece | ItemPiece): Promise<void> {
      if (piece.kind === 'item') {
        const { at, item } = piece
        items.push(Math.max(0, at).toString(36).padStart(TIME_CHARS, '0') + journal.life + item)
        const size = Buffer.byteLength(item)
        journal.bytes += size
        bytes += size
        if (items.length >= BATCH_COMMANDS || bytes >= BATCH_BYTES) await pushItems()
        return
      }
      await endJournal()
      const { journal: name, first, tail } = piece
      if (!name.isWellFormed())
        throw new ClusterError(
          'not_usable',
          `the journal ${JSON.stringify(name)} cannot be in Redis: its name is no Unicode text`,
          'Keep this state in a data folder.',
        )
      journal = { name, first, tail, bytes: 0, life: newLife() }
    },
    async flush(): Promise<void> {
      await endJournal()
      await send()
    },
    /** Makes the journals those of the hosts, with another epoch than any before. */
    async publish(): Promise<void> {
      await move(beside, prefix)
      await ask((redis) => redis.unlink(`${prefix}:epoch`))
    },
    /** Says that the import is done. */
    async end(): Promise<void> {
      await ask((redis) => redis.unlink(beside))
    },
    removeAll,
  }

  /** Removes what this import, or one that was killed, has put there. */
  async function removeAll(): Promise<void> {
    batch = []
    for (const one of [beside, prefix])
      for (const key of await keysLike(ask, `${journalKey(one, '*', 'h').slice(0, -1)}*`))
        await ask((redis) => redis.unlink(key))
    await ask((redis) => redis.unlink(beside))
  }
}

/** A word that tells a journal from all others, as long as the token of an append. */
const newLife = () => randomBytes(TOKEN_CHARS).toString('base64url').slice(0, TOKEN_CHARS)
