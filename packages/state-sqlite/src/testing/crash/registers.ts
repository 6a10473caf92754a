import { createHash } from 'node:crypto'
import { type Operation, whyNotLinearizable } from '@svc/conformance/testing/linearizable'
import type { Call, Notes } from '@svc/conformance/testing/notes'
import { collection, type Store } from '@svc/state'

/** A row of several fields that must agree with each other. */
interface RegisterRow {
  readonly value: string
  readonly owner: string
  readonly filling: string
  readonly sum: string
}

export const registers = collection<RegisterRow, 'byOwner' | 'byValue'>({
  name: 'registers',
  indexes: { byOwner: ({ owner }) => [owner], byValue: ({ value }) => [value] },
  weight: ({ filling }) => filling.length,
})

/** Clients that write the same keys. */
export const CLIENTS = 8
const SHARED_KEYS = 3
const OWN_KEYS = 12
/** Records that one owner may have. */
export const OWNER_ROWS = 8
/** What they may weigh together. */
export const OWNER_WEIGHT = 150_000
const LARGE = 60_000
const SMALL = 800

const sumOf = (...parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

function makeRow(owner: string, value: string, size: number): RegisterRow {
  const filling = value.repeat(Math.ceil(size / value.length))
  return { value, owner, filling, sum: sumOf(owner, value, filling) }
}

/** What a record holds; throws where its fields do not agree. */
export function registerValue({ id, row }: { id: string; row: RegisterRow }): string {
  const { owner, value, filling, sum } = row
  if (sum !== sumOf(owner, value, filling)) throw new Error(`record ${id} was written in part: ${value}`)
  return value
}

const ownerOf = (key: string) => key.split('.')[0] as string

/** One of eight clients: reads, inserts under caps, swaps and removes, on keys of all and on its own. */
export async function loadRegisters(
  store: Store,
  notes: Notes,
  client: number,
  random: () => number,
): Promise<void> {
  const below = (n: number) => Math.floor(random() * n)
  const known = new Map<string, { revision: number; value: string }>()
  const read = async (key: string) => {
    const found = await store.get(registers, key)
    const seen = found && { revision: found.revision, value: registerValue(found) }
    if (seen) known.set(key, seen)
    else known.delete(key)
    return seen
  }
  for (let n = 0; ; n++) {
    const key = random() < 0.5 ? `shared.${below(SHARED_KEYS)}` : `own-${client}.${below(OWN_KEYS)}`
    const owner = ownerOf(key)
    const there = known.get(key)
    const value = `${client}-${n}-${process.pid}`
    const row = makeRow(owner, value, random() < 0.05 ? LARGE : below(SMALL))
    const caps = [
      { name: 'rows', index: 'byOwner', eq: [owner], max: OWNER_ROWS },
      { name: 'weight', index: 'byOwner', eq: [owner], max: OWNER_WEIGHT, of: 'weight' },
    ] as const
    const call = <Given>(act: object, run: () => Promise<Given>, noted: (given: Given) => unknown) =>
      notes.call('registers', { key, act, client }, run, noted)
    const chance = random()
    if (chance < 0.3 || (!there && chance < 0.6)) {
      await call(
        { verb: 'read' },
        () => read(key),
        (seen) => ({ ...seen, value: seen?.value ?? null }),
      )
    } else if (!there) {
      const given = await call(
        { verb: 'insert', value },
        () => store.insert(registers, key, row, { caps }),
        (result) => {
          if (result.ok) return { done: true, revision: result.record.revision }
          return 'full' in result
            ? { full: result.full }
            : { value: registerValue(result.exists), revision: result.exists.revision }
        },
      )
      if (given.ok) known.set(key, { revision: given.record.revision, value })
    } else if (chance < 0.9) {
      const given = await call(
        { verb: 'swap', from: there.value, value },
        () => store.swap(registers, key, there.revision, row, { caps }),
        (result) =>
          result.ok
            ? { done: true, revision: result.record.revision }
            : 'full' in result
              ? result
              : { done: false },
      )
      if (given.ok) known.set(key, { revision: given.record.revision, value })
      else known.delete(key)
    } else {
      known.delete(key)
      const run = () => store.remove(registers, key, there.revision)
      await call({ verb: 'remove', from: there.value }, run, (done) => ({ done }))
    }
  }
}

interface RegisterCall {
  readonly key: string
  readonly act: Operation['act']
}

/** What must be true of the registers, whatever was killed. */
export function openRegisterChecks() {
  /** The value of each key when it was last read with nothing under way. */
  const settled = new Map<string, string | null>()
  /** What was written under each revision, for ever. */
  const revisions = new Map<string, string>()
  const histories = new Map<string, Operation[]>()

  function add(key: string, operation: Operation, revision: number | undefined): void {
    histories.set(key, [...(histories.get(key) ?? []), operation])
    const { act, outcome } = operation
    if (revision === undefined || !outcome) return
    const value = 'value' in outcome ? outcome.value : 'value' in act ? act.value : null
    const name = `${key} ${revision}`
    const before = revisions.get(name) ?? value
    if (before !== value)
      throw new Error(`${key}: revision ${revision} stood for ${before}, and now for ${value}`)
    revisions.set(name, value as string)
  }

  return {
    /** Takes over what a process did until it was killed. */
    killed(calls: readonly Call[]): void {
      for (const { what, called, returned, result } of calls) {
        const { key, act } = what as RegisterCall
        const { revision, ...outcome } = (result ?? {}) as { revision?: number }
        add(key, { act, called, returned, outcome: result && (outcome as never) }, revision)
      }
    },
    /** Reads every key in a store that nobody writes, and throws where what happened cannot have happened. */
    async check(store: Store, now: () => number): Promise<number> {
      const owners = ['shared', ...Array.from({ length: CLIENTS }, (_, client) => `own-${client}`)]
      const found = new Map<string, string>()
      for (const owner of owners) {
        const { rows } = await store.scan(registers, 'byOwner', { eq: [owner], limit: 1_000 })
        const weight = rows.reduce((sum, { row }) => sum + row.filling.length, 0)
        if (rows.length > OWNER_ROWS || weight > OWNER_WEIGHT)
          throw new Error(`${owner} has ${rows.length} records that weigh ${weight}, more than its caps`)
        for (const record of rows) found.set(record.id, registerValue(record))
      }
      let operations = 0
      for (const key of new Set([...histories.keys(), ...settled.keys(), ...found.keys()])) {
        const called = now()
        const record = await store.get(registers, key)
        const value = record && registerValue(record)
        if (value !== (found.get(key) ?? null))
          throw new Error(`${key}: the index has ${found.get(key)}, get ${value}`)
        add(key, { act: { verb: 'read' }, called, returned: now(), outcome: { value } }, record?.revision)
        const history = histories.get(key) ?? []
        operations += history.length
        const why = whyNotLinearizable(history, settled.get(key) ?? null)
        if (why !== null) throw new Error(`${key}: ${why}`)
        settled.set(key, value)
      }
      histories.clear()
      return operations
    },
  }
}
