import { verifies } from '@svc/conformance/verifies'
import { type Limits, limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryBus } from '@svc/state'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createHost } from '../../create-host.ts'
import { type AuditSink, openAudit } from './audit.ts'

/** An audit log over a bus of its own; what the host's log is told is kept as lines. */
function opened(change: Partial<Limits> = {}, sink?: AuditSink) {
  const clock = frozenClock()
  const bus = memoryBus({ clock })
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const audit = openAudit({ bus, clock, log, limits: { ...limits, ...change } }, sink)
  const texts = async (kind: 'acts' | 'calls' | 'denials') =>
    (await audit.read({ log: kind, limit: 1_000 })).entries.map(({ user_id }) => user_id)
  return { audit, bus, clock, lines, texts }
}

verifies('audit.bounds', 'keeps a number of entries, and none too long', async () => {
  const { audit, texts, clock } = opened({ AUDIT_KEPT: 40, AUDIT_KEPT_MS: 1_000 })
  audit.note('user.sign_in', 'ada', 'ok')
  for (let at = 0; at < 100; at += 1) {
    audit.note('denied', `u${at}`, 'invalid_token')
    if (at % 10 === 9) await texts('denials')
  }
  const kept = await texts('denials')
  expect([kept.length <= 42, kept.at(-1), await texts('acts')]).toEqual([true, 'u99', ['ada']])
  await clock.advance(1_001)
  await audit.sweep()
  expect([await texts('denials'), await texts('acts')]).toEqual([[], []])
})

verifies('audit.bounds', 'keeps a number of bytes, and cuts long texts', async () => {
  const { audit, texts } = opened({ AUDIT_MAX_BYTES: 2_000, AUDIT_TEXT_MAX_CHARS: 100 })
  for (let at = 0; at < 20; at += 1)
    audit.note('tool.call', `u${at}`, 'ok', { target: 'x'.repeat(5_000), method: 'y'.repeat(5_000) })
  await texts('calls')
  await audit.sweep()
  const kept = await texts('calls')
  expect([kept.length > 3, kept.length < 20, kept.at(-1)]).toEqual([true, true, 'u19'])
})

verifies('audit.bounds', 'lets no more wait than may, and says how many were lost', async () => {
  const { audit, texts, lines } = opened({ AUDIT_WAITING_MAX: 5 })
  for (let at = 0; at < 8; at += 1) audit.note('denied', `u${at}`, 'invalid_token')
  expect(await texts('denials')).toHaveLength(5)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ entries: 3 })
})

test('a bus that takes nothing costs the entries, and no caller', async () => {
  const { audit, bus, lines } = opened()
  await bus.close()
  audit.note('user.sign_in', 'ada', 'ok')
  await audit.close()
  expect(lines).toHaveLength(1)
})

test('a log that cannot be trimmed keeps no other from it, and its entries are not told as lost', async () => {
  const { audit, bus, lines, texts } = opened({ AUDIT_KEPT: 1 })
  const { trim } = bus.journal
  bus.journal.trim = async (name, options) => {
    if (name === 'audit:acts') throw new Error('no')
    return trim(name, options)
  }
  for (const what of ['user.sign_in', 'denied'] as const)
    for (const user of ['ada', 'bob']) audit.note(what, user, 'ok')
  await audit.close()
  await audit.sweep()
  expect([await texts('acts'), await texts('denials')]).toEqual([['ada', 'bob'], ['bob']])
  expect(new Set(lines.map((line) => JSON.parse(line).msg))).toEqual(
    new Set(['the audit log could not be trimmed']),
  )
})

test('two hosts write one log', async () => {
  const one = opened()
  const other = openAudit({ ...one, limits, log: pino({ level: 'silent' }) })
  for (const name of ['a', 'b', 'c']) {
    one.audit.note('user.sign_in', `${name}1`, 'ok')
    other.note('user.sign_in', `${name}2`, 'ok')
    await other.close()
  }
  expect([...(await one.texts('acts'))].sort()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2'])
})

const faulty: readonly (readonly [string, AuditSink])[] = [
  [
    'throws',
    () => {
      throw new Error('no')
    },
  ],
  ['rejects', async () => Promise.reject(new Error('no'))],
]
verifies.each('audit.sink')(faulty)(
  'a sink that %s is told to the log and to nobody else',
  async (_, sink) => {
    const { audit, lines, texts } = opened({}, sink)
    audit.note('user.sign_in', 'ada', 'ok')
    expect(lines).toEqual([])
    expect(await texts('acts')).toEqual(['ada'])
    await new Promise(setImmediate)
    expect(lines).toHaveLength(1)
  },
)

verifies('audit.close', 'what was noted in the last turn of a host is in its bus', async () => {
  const clock = frozenClock()
  const bus = memoryBus({ clock })
  const heard: string[] = []
  const host = createHost({
    bus,
    clock,
    runner: null,
    secret: 's'.repeat(32),
    logger: pino({ level: 'silent' }),
    audit: ({ what, user_id }) => void heard.push(`${what} ${user_id}`),
  })
  await host.users.ensure('ada')
  const registered = host.apps.register('ada', { slug: 'notes', name: 'Notes' })
  await registered
  await host.close()
  const { items } = await bus.journal.read('audit:acts', 0)
  expect(items.map(({ item }) => JSON.parse(item).what)).toEqual(['app.register'])
  expect(heard).toEqual(['app.register ada'])
})
