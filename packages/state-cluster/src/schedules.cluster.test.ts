import { rounds, roundsSeed } from '@svc/conformance/rounds'
import { type Operation, whyNotLinearizable } from '@svc/conformance/testing/linearizable'
import { type PostgresServer, startPostgresServer } from '@svc/conformance/testing/postgres-server'
import { type RedisServer, startRedisServer } from '@svc/conformance/testing/redis-server'
import { seeded } from '@svc/conformance/testing/seeded'
import { collection, type Store } from '@svc/state'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Member, openMember, trouble } from './testing/bad-network.ts'

const HOSTS = 3
const CLIENTS = 8
/** Operations of each client in the one long history. */
const OPERATIONS = rounds(2_000, 100)
/** Schedules of faults, each from its own seed, and how long each lasts. */
const SCHEDULES = rounds(200, 5)
const SCHEDULE_MS = 1_500
const KEYS = 12

const registers = collection({
  name: 'registers',
  row: {} as { readonly value: string },
  indexes: { byValue: ({ value }) => [value] },
})

let postgres: PostgresServer
let redis: RedisServer
let members: Member[]
let names = 0
beforeAll(async () => {
  postgres = await startPostgresServer({ settings: { max_connections: '200' } })
  redis = await startRedisServer()
  const name = `cluster_${names++}`
  members = []
  for (let at = 0; at < HOSTS; at++) members.push(await openMember(postgres, redis, name))
})
afterAll(async () => {
  for (const member of members ?? []) await member.close()
  await redis?.close()
  await postgres?.close()
})

const isUnavailable = (error: unknown) => (error as { code?: string }).code === 'unavailable'

/** What each key has seen, by times of one clock. */
type Histories = Map<string, Operation[]>

/** One client of a store: reads, inserts, swaps and removes what it read before. */
async function useRegisters(
  store: Store,
  client: string,
  random: () => number,
  histories: Histories,
  goesOn: (n: number) => boolean,
): Promise<void> {
  const read = new Map<string, { readonly value: string; readonly revision: number }>()
  for (let n = 0; goesOn(n); n++) {
    const key = `key-${Math.floor(random() * KEYS)}`
    const value = `${client}-${n}`
    const known = read.get(key)
    const history = histories.get(key) ?? []
    histories.set(key, history)
    const called = performance.now()
    const note = (operation: Pick<Operation, 'act' | 'outcome'>, returned = performance.now()) =>
      history.push({ ...operation, called, returned })
    const verb = random()
    // What failed may still be done by a statement that was on its way.
    const fails = (act: Operation['act']) => (error: unknown) => {
      if (!isUnavailable(error)) throw error
      if (act.verb !== 'read') note({ act }, Number.POSITIVE_INFINITY)
      return null
    }
    if (verb < 0.4 || !known) {
      if (verb < 0.1) {
        const act = { verb: 'insert', value } as const
        const result = await store.insert(registers, key, { value }).catch(fails(act))
        if (!result) continue
        if (result.ok) note({ act, outcome: { done: true } })
        else if ('exists' in result) note({ act, outcome: { value: result.exists.row.value } })
        continue
      }
      const act = { verb: 'read' } as const
      const found = await store.get(registers, key).then(
        (record) => ({ record }),
        (error) => fails(act)(error),
      )
      if (!found) continue
      note({ act, outcome: { value: found.record?.row.value ?? null } })
      if (found.record) read.set(key, { value: found.record.row.value, revision: found.record.revision })
      continue
    }
    read.delete(key)
    if (verb < 0.9) {
      const act = { verb: 'swap', from: known.value, value } as const
      const result = await store.swap(registers, key, known.revision, { value }).catch(fails(act))
      if (!result) continue
      note({ act, outcome: { done: result.ok } })
      if (result.ok) read.set(key, { value, revision: result.record.revision })
    } else {
      const act = { verb: 'remove', from: known.value } as const
      const done = await store.remove(registers, key, known.revision).catch(fails(act))
      if (done !== null) note({ act, outcome: { done } })
    }
  }
}

/** What stands at the end of all, as one more read of each key. */
async function lastReads(store: Store, histories: Histories): Promise<void> {
  for (const [key, history] of histories) {
    const called = performance.now()
    const record = await store.get(registers, key)
    const outcome = { value: record?.row.value ?? null }
    history.push({ act: { verb: 'read' }, called, returned: performance.now(), outcome })
  }
}

async function clear(store: Store): Promise<void> {
  for (let n = 0; n < KEYS; n++) {
    const there = await store.get(registers, `key-${n}`)
    if (there) await store.remove(registers, there.id, there.revision)
  }
}

const whyNot = (histories: Histories) =>
  [...histories].flatMap(([key, history]) => {
    const why = whyNotLinearizable(history, null)
    return why === null ? [] : [`${key}: ${why}`]
  })

it(`what ${CLIENTS} clients of each of ${HOSTS} hosts do to a few records has one order`, {
  timeout: 3_600_000,
}, async () => {
  const seed = roundsSeed()
  const stop = trouble(members, seeded(seed))
  const histories: Histories = new Map()
  await Promise.all(
    members.flatMap(({ cluster }, host) =>
      Array.from({ length: CLIENTS }, (_, client) =>
        useRegisters(
          cluster.store,
          `${host}-${client}`,
          seeded(seed + 1 + host * CLIENTS + client),
          histories,
          (n) => n < OPERATIONS,
        ),
      ),
    ),
  ).finally(stop)
  const [first] = members as [Member, ...Member[]]
  await lastReads(first.cluster.store, histories)
  expect(whyNot(histories)).toEqual([])
  expect([...histories.values()].flat().length).toBeGreaterThan((HOSTS * CLIENTS * OPERATIONS) / 2)
})

/** Writers of every host that append to one journal, and what each was told. */
async function append(
  member: Member,
  host: number,
  journal: string,
  goesOn: () => boolean,
  told: Set<string>,
) {
  const { bus } = member.cluster
  let tail = 0
  for (let n = 0; goesOn(); n++) {
    const item = JSON.stringify(`${host}-${n}`)
    try {
      const result = await bus.journal.append(journal, tail + 1, [item])
      if (result.ok) told.add(item)
      tail = result.ok ? result.tail : result.refused
    } catch (error) {
      if (!isUnavailable(error)) throw error
    }
  }
}

/** Asks the other hosts, each question once; whoever is asked notes it. */
async function ask(
  member: Member,
  host: number,
  goesOn: () => boolean,
  answered: Set<string>,
): Promise<void> {
  const codes = ['no_host', 'failed', 'deadline', 'unavailable']
  for (let n = 0; goesOn(); n++) {
    const question = `${host}-${n}`
    const deadline = Date.now() + 500
    try {
      const other = `host-${(host + 1 + (n % (HOSTS - 1))) % HOSTS}`
      expect(await member.cluster.bus.ask(other, 'echo', question, { deadline })).toBe(question)
      answered.add(question)
    } catch (error) {
      if (!codes.includes((error as { code: string }).code)) throw error
    }
  }
}

it(`${SCHEDULES} schedules of faults between hosts, and to each server, lose nothing and do nothing twice`, {
  timeout: 3_600_000,
}, async () => {
  const heard: string[] = []
  const stops = await Promise.all(
    members.map(({ cluster }, host) =>
      cluster.bus.answer(`host-${host}`, 'echo', async (body) => {
        heard.push(body)
        return body
      }),
    ),
  )
  const [first] = members as [Member, ...Member[]]
  const seed = 1_000
  for (let schedule = 0; schedule < SCHEDULES; schedule++) {
    const random = seeded(seed + schedule)
    const histories: Histories = new Map()
    const appended = new Set<string>()
    const answered = new Set<string>()
    heard.length = 0
    await clear(first.cluster.store)
    const journal = `journal-${schedule}`
    const reader = new AbortController()
    const read: string[] = []
    const reading = (async () => {
      const options = { signal: reader.signal }
      for await (const { items, reset } of (members[1] as Member).cluster.bus.journal.follow(
        journal,
        0,
        options,
      )) {
        if (reset) read.push('reset')
        read.push(...items.map(({ item }) => item))
      }
    })()
    const until = performance.now() + SCHEDULE_MS
    const goesOn = () => performance.now() < until
    const stop = trouble(members, random)
    await Promise.all([
      ...members.flatMap((member, host) => [
        append(member, host, journal, goesOn, appended),
        ask(member, host, goesOn, answered),
        ...[0, 1].map((client) =>
          useRegisters(
            member.cluster.store,
            `${host}-${client}`,
            seeded(schedule * 10 + host * 2 + client),
            histories,
            goesOn,
          ),
        ),
      ]),
    ]).finally(stop)

    const what = `schedule ${seed + schedule}`
    await lastReads(first.cluster.store, histories)
    expect(whyNot(histories), what).toEqual([])
    const { items, tail } = await first.cluster.bus.journal.read(journal, 0)
    const stands = items.map(({ item }) => item)
    expect(
      items.map(({ seq }) => seq),
      what,
    ).toEqual(stands.map((_, at) => at + 1))
    expect(tail, what).toBe(stands.length)
    expect(new Set(stands).size, what).toBe(stands.length)
    expect(
      [...appended].filter((item) => !stands.includes(item)),
      what,
    ).toEqual([])
    await expect.poll(() => read.length, { message: what }).toBe(stands.length)
    expect(read, what).toEqual(stands)
    expect(heard.length, what).toBe(new Set(heard).size)
    expect(
      [...answered].filter((question) => !heard.includes(question)),
      what,
    ).toEqual([])
    reader.abort()
    await reading
  }
  for (const stop of stops) stop()
})
