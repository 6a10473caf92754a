import { randomBytes } from 'node:crypto'
import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { type IdKind, idKinds, idMaker } from './ids.ts'

const newId = idMaker((count) => new Uint8Array(randomBytes(count)))
const kinds = Object.keys(idKinds) as IdKind[]
const BASE32 = '[0-9a-hjkmnp-tv-z]{26}'

const oracle: Record<IdKind, RegExp> = {
  window: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  job: /^tjob_[0-9a-f]{32}$/,
  session: new RegExp(`^aps_${BASE32}$`),
  stream: new RegExp(`^strm_${BASE32}$`),
  user: new RegExp(`^usr_${BASE32}$`),
  app: new RegExp(`^app_${BASE32}$`),
  version: new RegExp(`^ver_${BASE32}$`),
  install: new RegExp(`^ins_${BASE32}$`),
  draft: new RegExp(`^drf_${BASE32}$`),
  plug: new RegExp(`^${BASE32}$`),
  invoke: new RegExp(`^inv_${BASE32}$`),
  artifact: new RegExp(`^art_${BASE32}$`),
  approval: new RegExp(`^apv_${BASE32}$`),
  host: new RegExp(`^hst_${BASE32}$`),
  runner: new RegExp(`^rnr_${BASE32}$`),
  nonce: new RegExp(`^nnc_${BASE32}$`),
  runnerToken: new RegExp(`^svcr_${BASE32}$`),
  file: new RegExp(`^file_${BASE32}$`),
  run: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  sampling: new RegExp(`^smp_${BASE32}$`),
}

it.each(kinds)('%s ids have their form and never come twice', (kind) => {
  const made = new Set<string>()
  const count = rounds(10_000)
  for (let at = 0; at < count; at++) {
    const id = newId(kind)
    if (!oracle[kind].test(id)) expect(id).toMatch(oracle[kind])
    made.add(id)
  }
  expect(made.size).toBe(count)
})

verifies('ids.job', 'a job id is tjob_ and 32 hexadecimal digits', () => {
  expect(newId('job')).toMatch(/^tjob_[0-9a-f]{32}$/)
})
verifies('ids.session', 'a session id begins with aps_', () => {
  expect(newId('session')).toMatch(/^aps_/)
})
verifies('ids.stream', 'a stream id begins with strm_', () => {
  expect(newId('stream')).toMatch(/^strm_/)
})

it('makes the same ids from the same bytes', () => {
  const zeros = idMaker((count) => new Uint8Array(count))
  const ones = idMaker((count) => new Uint8Array(count).fill(255))
  expect([zeros('window'), zeros('job'), zeros('app')]).toEqual([
    '00000000-0000-4000-8000-000000000000',
    `tjob_${'0'.repeat(32)}`,
    `app_${'0'.repeat(26)}`,
  ])
  expect([ones('window'), ones('app')]).toEqual([
    'ffffffff-ffff-4fff-bfff-ffffffffffff',
    `app_${'z'.repeat(26)}`,
  ])
})
