import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { whatIsWrong } from '@svc/conformance/testing/check-folder'
import { seeded } from '@svc/conformance/testing/seeded'
import { above, encodeEntry, encodeKey, encodePart } from '@svc/state/driver'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { failureOf } from './failure.ts'
import { openRole, type RoleName } from './roles.ts'
import type { Role } from './serve.ts'
import type { ThreadData } from './thread-data.ts'

const FLIPS = 150
const OWNERS = ['ann', 'bob', 'cleo']
const ROWS = 120
const JOURNALS = ['one', 'two', 'three']
const ITEMS = 40

const idOf = (n: number) => encodePart(`note ${n}`)
const ownerOf = (n: number) => OWNERS[n % OWNERS.length] as string
const bodyOf = (n: number) => JSON.stringify({ n, text: 'x'.repeat(n % 90) })
const items = Array.from({ length: ITEMS }, (_, n) => bodyOf(n))

let root: string
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'svc-bits-'))
  const dir = path.join(root, 'whole')
  mkdirSync(path.join(dir, 'blobs'), { recursive: true })
  const [records, journals] = [open(dir, 'records'), open(dir, 'journals')]
  run(records, 'declare', 'notes', ['byOwner'], '1')
  for (let n = 0; n < ROWS; n++) {
    const keys = [encodeEntry([ownerOf(n)], idOf(n))]
    run(records, 'insert', { collection: 1, id: idOf(n), body: bodyOf(n), weight: 1, keys, caps: [] })
  }
  for (const name of JOURNALS) run(journals, 'append', encodePart(name), 1, items, 0)
  run(journals, 'trim', encodePart('two'), { keep: 10 }, 0)
  for (const role of [records, journals]) role.close()
})
afterAll(() => rmSync(root, { recursive: true }))

function open(dir: string, role: RoleName): Role {
  const durability = { records: 'process', journals: 'process' } as const
  return openRole({ role, dir, durability, hasReader: false, boot: null } satisfies ThreadData)
}

function run(role: Role, name: string, ...args: unknown[]): unknown {
  const { writes, run: verb } = role.verbs[name] as {
    writes?: { exec(sql: string): void }
    run(...args: unknown[]): unknown
  }
  writes?.exec('BEGIN')
  const outcome = verb(...args)
  writes?.exec('COMMIT')
  return outcome
}

/** Everything that can be read of the folder, each read by itself: what it gives, or `damaged`. */
function readAll(dir: string): Map<string, unknown> {
  const reads = new Map<string, unknown>()
  const attempt = (what: string, read: () => unknown) => {
    try {
      reads.set(what, read())
    } catch (error) {
      reads.set(what, failureOf(error).code)
    }
  }
  const within = (role: RoleName, read: (role: Role) => void) =>
    attempt(role, () => {
      const opened = open(dir, role)
      try {
        read(opened)
      } finally {
        opened.close()
      }
    })
  within('records', (role) => {
    run(role, 'declare', 'notes', ['byOwner'], '1')
    for (let n = 0; n < ROWS; n++) attempt(`get ${n}`, () => run(role, 'get', 1, idOf(n)))
    for (const owner of OWNERS) {
      const low = encodeKey([owner])
      const range = { index: 1, at: 0, low, high: above(low), order: 'asc', limit: 1_000 }
      attempt(`scan ${owner}`, () => (run(role, 'scan', range) as { rows: unknown[] }).rows)
    }
  })
  within('journals', (role) => {
    for (const name of JOURNALS) attempt(`read ${name}`, () => run(role, 'read', encodePart(name), 0, 1_000))
  })
  return reads
}

/** Whether a read lacks something and is right in what it has: nothing tells it from what was never written. */
function isShort(found: unknown, right: unknown): boolean {
  if (found === undefined || found === null) return true
  const [some, all] = [found, right].map((rows) =>
    Array.isArray(rows) ? rows.map((row) => JSON.stringify(row)) : null,
  )
  if (some && all) return some.every((row) => all.includes(row))
  const { items, tail } = found as { items: unknown[]; tail: number }
  return items?.length === 0 && tail === 0
}

it(`with one of ${FLIPS} bits turned each read is right or says damaged, or is short and the check says so`, () => {
  const right = readAll(path.join(root, 'whole'))
  expect([...right.values()]).not.toContain('damaged')
  const random = seeded(11)
  const below = (n: number) => Math.floor(random() * n)
  const outcomes = { right: 0, damaged: 0, short: 0 }
  for (let flip = 0; flip < FLIPS; flip++) {
    const dir = path.join(root, `flip ${flip}`)
    cpSync(path.join(root, 'whole'), dir, { recursive: true })
    const file = path.join(dir, flip % 2 === 0 ? 'svc.db' : 'journals.db')
    const bytes = readFileSync(file)
    const [at, bit] = [below(bytes.length), below(8)]
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)
    writeFileSync(file, bytes)
    const before = whatIsWrong(dir)
    const reads = readAll(dir)
    const others = [...right].filter(
      ([what, value]) => JSON.stringify(reads.get(what)) !== JSON.stringify(value),
    )
    const wrong = others.filter(
      ([what, value]) => reads.get(what) !== 'damaged' && !isShort(reads.get(what), value),
    )
    expect(wrong.map(([what]) => [what, reads.get(what), `bit ${bit} of byte ${at} of ${file}`])).toEqual([])
    if (others.length === 0) outcomes.right += 1
    else if ([...reads.values()].includes('damaged')) outcomes.damaged += 1
    else {
      outcomes.short += 1
      expect(before, `bit ${bit} of byte ${at} of ${file}`).not.toEqual([])
    }
  }
  console.log(outcomes)
  expect(outcomes.damaged).toBeGreaterThan(FLIPS / 5)
  expect(outcomes.short).toBeLessThan(FLIPS / 20)
})
