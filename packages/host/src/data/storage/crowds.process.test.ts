import { setImmediate as nextTurn } from 'node:timers/promises'
import { rounds } from '@svc/conformance/rounds'
import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import type { RpcResponse } from '@svc/contract'
import type { Store } from '@svc/state'
import { memoryStore } from '@svc/state'
import { afterEach, beforeEach, expect } from 'vitest'
import { openStorageClients, type StorageCall, type StorageClients } from '../../testing/storage-clients.ts'

const CLIENTS = 8
const WRITES = rounds(2_000)
const KEYS = rounds(100_000)
const PAGE = 100
const BATCH = 64

interface Item {
  readonly key: string
  readonly etag: string
}
interface Answered {
  readonly etag: string
  readonly generation: number
  readonly value: { readonly count: number }
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}
const resultOf = (answer: RpcResponse) => {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return answer.result as Partial<Answered> as Answered
}

/** Memory as far away as a database: what was read may have been written again when its reader hears of it. */
function farStore(): Store {
  const under = memoryStore()
  return {
    ...under,
    async get(collection, id) {
      const record = await under.get(collection, id)
      await nextTurn()
      return record
    },
  }
}

let services: TestHost
let clients: StorageClients
beforeEach(async () => {
  services = await openTestHost({
    storage: 'persistent',
    store: farStore(),
    secret: 's'.repeat(32),
    limits: { STORAGE_KEYS_PER_SPACE: 2 * KEYS, STORAGE_KEYS_PER_USER: 2 * KEYS },
    manifest: { host_api: { storage: ['*'] } },
  })
  clients = await openStorageClients(services)
})
afterEach(async () => {
  clients.close()
  await services.close()
})

verifies(
  ['storage.set.history', 'storage.set.if_match', 'storage.backend.persistent'],
  `${CLIENTS} clients write ${WRITES} times each with if_match: each write that is accepted follows one other`,
  async () => {
    const windows = await Promise.all(Array.from({ length: CLIENTS }, () => services.openWindow()))
    const set = (window: TestWindow, count: number, by: number, if_match?: string) =>
      clients.call(window, 'set', { key: 'counter', value: { count, by }, ...(if_match && { if_match }) })
    const first = resultOf(await set(windows[0] as TestWindow, 0, 0)).etag
    /** By the etag that it was made on: what each accepted write led to. */
    const history = new Map<string, { readonly etag: string; readonly count: number }>()
    let refused = 0

    async function write(window: TestWindow, by: number) {
      let [etag, count] = [first, 0]
      for (let n = 0; n < WRITES; n++) {
        const answer = await set(window, count + 1, by, etag)
        if (answer.ok) {
          expect(history.has(etag)).toBe(false)
          count += 1
          history.set(etag, { etag: resultOf(answer).etag, count })
          etag = resultOf(answer).etag
        } else {
          expect(answer.error.code).toBe('precondition_failed')
          refused += 1
          const now = resultOf(await clients.call(window, 'get', { key: 'counter' }))
          etag = now.etag
          count = now.value.count
        }
      }
    }
    await Promise.all(windows.map(write))

    expect(history.size + refused).toBe(CLIENTS * WRITES)
    expect(Math.min(history.size, refused)).toBeGreaterThan(0)
    let at = first
    for (let count = 1; count <= history.size; count++) {
      const next = history.get(at)
      expect(next?.count).toBe(count)
      at = next?.etag ?? ''
    }
    const last = resultOf(await clients.call(windows[0] as TestWindow, 'get', { key: 'counter' }))
    expect([last.etag, last.value.count, last.generation]).toEqual([at, history.size, history.size + 1])
  },
)

verifies(
  ['storage.list.stable', 'storage.list.cursor'],
  `a listing of ${KEYS} keys by ${PAGE} gives each that stood throughout once and in order, while others write`,
  async () => {
    const writers = await Promise.all(Array.from({ length: CLIENTS }, () => services.openWindow()))
    const [reader, writer] = await Promise.all([services.openWindow(), services.openWindow()])
    const keyOf = (n: number) => `k${String(n).padStart(6, '0')}`
    const standing = Array.from({ length: KEYS }, (_, n) => keyOf(n * 3))
    for (let n = 0; n < KEYS; n += BATCH * CLIENTS) {
      const sent = writers.map((window, at) => {
        const begin = n + at * BATCH
        const keys = standing.slice(begin, begin + BATCH)
        return keys.length > 0
          ? clients.batch(
              window,
              keys.map((key): StorageCall => ['set', { key, value: 0 }]),
            )
          : []
      })
      for (const answer of (await Promise.all(sent)).flat()) resultOf(answer)
    }

    let isOver = false
    /** Writes over the whole range as long as the listing lasts: passing keys come and go, standing ones are rewritten. */
    async function disturb(): Promise<number> {
      let written = 0
      for (let n = 1; !isOver; n = (n * 48_271) % 2_147_483_647) {
        const at = n % KEYS
        const passing = keyOf(at * 3 + 1)
        const answers = await clients.batch(writer, [
          ['set', { key: passing, value: n }],
          ['set', { key: standing[at], value: n, ...(at % 2 === 0 && { if_match: '*' }) }],
          ['delete', { key: at % 3 === 0 ? passing : keyOf(((at * 7) % KEYS) * 3 + 1) }],
        ])
        written += answers.filter(({ ok }) => ok).length
      }
      return written
    }
    const disturbing = disturb()
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const args = { limit: PAGE, ...(cursor !== null && { cursor }) }
      const page = resultOf(await clients.call(reader, 'list', args))
      expect(page.items.length).toBeLessThanOrEqual(PAGE)
      seen.push(...page.items.map(({ key }) => key))
      cursor = page.next_cursor
    } while (cursor !== null)
    isOver = true

    expect(await disturbing).toBeGreaterThan(KEYS / PAGE / 4)
    expect(seen.every((key, at) => at === 0 || (seen[at - 1] ?? '') < key)).toBe(true)
    const isStanding = new Set(standing)
    expect(seen.filter((key) => isStanding.has(key))).toEqual(standing)
  },
)
