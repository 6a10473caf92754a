import { readFileSync } from 'node:fs'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { storage } from './storage.ts'

const corpus = JSON.parse(
  readFileSync(new URL('../../../conformance/corpora/storage_keys.json', import.meta.url), 'utf8'),
) as string[]

const keys = corpus.map((key) => (key === '<x repeated 1024 times>' ? 'x'.repeat(1_024) : key))

const takes = (row: keyof typeof storage, args: unknown) => storage[row].args.safeParse(args).success

verifies.each('decision.storage.keys')([
  ...keys.map((key) => [key, key !== '' && !key.includes('\0')] as const),
  ['x'.repeat(1_025), false] as const,
  ['\ud800', true] as const,
])('the key %j: %j', (key, ok) => {
  for (const row of ['get', 'set', 'delete'] as const) expect(takes(row, { key, value: 1 }), row).toBe(ok)
})

it.each([[7], [null], [undefined], [['k']]])('the key %j is refused', (key) => {
  for (const row of ['get', 'set', 'delete'] as const) expect(takes(row, { key, value: 1 }), row).toBe(false)
})

it.each([
  ['{"key":"k","value":null}', true],
  ['{"key":"k","value":0}', true],
  ['{"key":"k","value":{"__proto__":{"x":1}}}', true],
  ['{"key":"k"}', false],
])('set %s: %j', (text, ok) => {
  expect(takes('set', JSON.parse(text))).toBe(ok)
})

it('hands a value on as the very object that came', () => {
  const value = JSON.parse('{"__proto__":{"x":1},"n":-0}')
  expect(storage.set.args.parse({ key: 'k', value }).value).toBe(value)
})

verifies.each('storage.set.optional')([
  [{ if_match: 'e' }, true],
  [{ if_match: '*' }, true],
  [{ if_match: '' }, true],
  [{ metadata: { a: 1 }, tags: ['x'], ttl_seconds: 60 }, true],
  [{ if_match: 7 }, false],
  [{ if_match: null }, false],
  [{ metadata: 'a' }, false],
  [{ metadata: [] }, false],
  [{ tags: 'x' }, false],
  [{ tags: [7] }, false],
  [{ ttl_seconds: 1 }, true],
  [{ ttl_seconds: 31_536_000 }, true],
  [{ ttl_seconds: 0 }, false],
  [{ ttl_seconds: 31_536_001 }, false],
  [{ ttl_seconds: 1.5 }, false],
  [{ ttl_seconds: '60' }, false],
])('set with %j: %j', (more, ok) => {
  expect(takes('set', { key: 'k', value: 1, ...more })).toBe(ok)
})

verifies.each(['storage.list.limit', 'decision.reject_ranges'])([
  [undefined, true],
  [1, true],
  [1_000, true],
  [0, false],
  [1_001, false],
  [-1, false],
  [1.5, false],
  ['10', false],
  [null, false],
  [true, false],
])('list with the limit %j: %j', (limit, ok) => {
  expect(takes('list', { limit })).toBe(ok)
})

verifies('limits.storage_list', 'list takes 100 where no limit is given', () => {
  expect(storage.list.args.parse({})).toEqual({ limit: 100, scope: 'app' })
})

it.each([
  [undefined, true],
  ['app', true],
  ['shared', true],
  ['user', false],
  ['', false],
  [null, false],
  ['__proto__', false],
])('the scope %j: %j', (scope, ok) => {
  expect(takes('get', { key: 'k', scope })).toBe(ok)
  expect(takes('list', { scope })).toBe(ok)
})

it.each([[{ cursor: null }], [{ cursor: 'c' }], [{ prefix: '' }], [{ prefix: '%_*' }]])(
  'list takes %j',
  (args) => {
    expect(takes('list', args)).toBe(true)
  },
)

it('an item has six fields, three of which may be null', () => {
  const item = { key: 'k', etag: 'e', size_bytes: 1, metadata: null, tags: null, updated_at: null }
  const fits = (one: object) => storage.list.result.safeParse({ items: [one], next_cursor: null }).success
  expect(fits(item)).toBe(true)
  expect(fits({ ...item, metadata: {}, tags: ['x'], updated_at: '2026-01-01T00:00:00.000Z' })).toBe(true)
  for (const name of Object.keys(item)) expect(fits({ ...item, [name]: undefined }), name).toBe(false)
})
