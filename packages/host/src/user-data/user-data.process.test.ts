import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { pause } from '@svc/node'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { removedId } from '../access/users/sign-in.ts'
import type { DataLine } from '../access/users/users.ts'
import { grants, OPERATOR_TOKEN, openLives } from '../testing/lives-host.ts'
import { userRows } from './user-rows.ts'

const ADA = 'ada-lovelace'
const BOB = 'bob-babbage'

let at: Awaited<ReturnType<typeof openLives>>
afterEach(() => at.close())

const asOperator = (path: string, method: string) =>
  at.request(`/api/v1/svc-apps/admin/users/${path}`, {
    method,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
  })
async function exported(user: string): Promise<DataLine[]> {
  const lines: DataLine[] = []
  for await (const line of at.host.users.export(user)) lines.push(line)
  return lines
}
/** What names a user outside the audit log, by his id or a digest of it. */
async function named(user: string): Promise<string[]> {
  const digests = (['hex', 'base64', 'base64url'] as const).map((form) =>
    createHash('sha256').update(user).digest(form),
  )
  return (await at.all()).filter(
    (text) => !text.startsWith('journal audit') && [user, ...digests].some((name) => text.includes(name)),
  )
}

verifies('user.data.table', 'each collection of the host has a row, or a reason', async () => {
  at = await openLives(ADA)
  const declared = new Set<string>()
  const folder = join(import.meta.dirname, '..')
  for await (const file of glob('**/*.ts', { cwd: folder }))
    if (!/test|suite/.test(file))
      for (const [, name = ''] of (await readFile(join(folder, file), 'utf8')).matchAll(
        /= collection\(\{\s*name: '(\w+)'/g,
      ))
        declared.add(name)
  expect(declared.size).toBeGreaterThan(20)
  expect(Object.keys(userRows).sort()).toEqual([...declared].sort())
})

verifies(
  ['user.erase.all', 'user.erase.others', 'user.export.all', 'plug.variables.gone'],
  'nothing names an erased user, and others have what they had',
  async () => {
    at = await openLives(BOB)
    await at.live(BOB)
    const before = await named(BOB)
    await at.live(ADA)
    const lines = await exported(ADA)
    expect(await exported(ADA)).toEqual(lines)
    const kinds = Object.entries(userRows).flatMap(([name, row]) => ('none' in row ? [] : [name]))
    expect([...new Set(lines.map(({ kind }) => kind))].sort()).toEqual(
      [...kinds, 'files.bytes', 'app_files.bytes', 'bundles.bytes'].sort(),
    )
    const text = JSON.stringify(lines)
    for (const secret of ['token_hash', 'sk-of', BOB]) expect(text).not.toContain(secret)
    for (const kept of ['upload of ', 'notes of ', '<p>own of '])
      expect(text).toContain(Buffer.from(kept + ADA).toString('base64'))

    await at.host.users.erase(ADA)
    expect(await named(ADA)).toEqual([])
    expect(await named(BOB)).toEqual(before)
    expect(await exported(ADA)).toEqual([])
  },
)

verifies('user.erase.apps', 'who installed an app of an erased user has it no more', async () => {
  at = await openLives(ADA)
  await at.live(BOB)
  expect(await at.host.apps.installed(BOB)).toHaveLength(1)
  await at.host.users.erase(ADA)
  expect(await at.host.apps.installed(BOB)).toEqual([])
  // As after a removal of the app, what has ended stays for its time: windows, jobs, runs, sessions.
  const ended = ['windows', 'jobs', 'runs', 'sessions', 'quotas']
  const left = (await exported(BOB)).filter(({ row }) => JSON.stringify(row ?? '').includes(at.appId))
  expect([...new Set(left.map(({ kind }) => kind))].filter((kind) => !ended.includes(kind))).toEqual([])
  expect(await named(ADA)).toEqual([])
})

verifies('user.erase.again', 'an erase that broke off at any write is finished by the next', async () => {
  at = await openLives(BOB)
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 120 }), async (writes) => {
      await at.host.users.unblock(ADA)
      await at.live(ADA)
      at.breakAfter(writes)
      await at.host.users.erase(ADA).catch(() => undefined)
      at.breakAfter(Number.POSITIVE_INFINITY)
      await at.host.users.erase(ADA)
      expect(await named(ADA)).toEqual([])
      await at.host.users.erase(ADA)
    }),
    { numRuns: rounds(10, 3) },
  )
})

verifies('user.erase.crowd', 'calls that are under way leave nothing behind', async () => {
  at = await openLives(BOB)
  await at.live(ADA)
  const window = await at.openWindow(undefined, undefined, await at.signIn(ADA))
  const crowd = Array.from({ length: 40 }, (_, n) => [
    window.call('storage', 'set', { key: `k${n}`, value: ADA }),
    window.call('files', 'write', { path: `f${n}`, text: ADA }),
    window.call('upload', 'inline', { bytes_b64: 'YWRh', mime: 'text/plain', purpose: ADA }),
  ])
  await Promise.all([at.host.users.erase(ADA), ...crowd.flat()])
  expect(await named(ADA)).toEqual([])
})

/** Calls that write, each with more than one access of the store. */
const writing = fc.constantFrom<readonly [ns: string, method: string, args: object]>(
  ['storage', 'set', { key: 'late', value: ADA }],
  ['storage', 'delete', { key: 'k' }],
  ['files', 'write', { path: 'late', text: ADA }],
  ['upload', 'inline', { bytes_b64: 'YWRh', mime: 'text/plain', purpose: ADA }],
)
const LOOKS = 2_000
const looked = async (turns: number) => {
  for (let turn = 0; turn < turns; turn += 1) await pause()
}

/** A call of Ada that is held up at one of its accesses of the store, while `work` is done beside it. */
async function heldUp(
  [ns, method, args]: readonly [ns: string, method: string, args: object],
  accesses: number,
  work: () => Promise<unknown>,
) {
  const window = await at.openWindow(undefined, undefined, await at.signIn(ADA))
  const { reached, open } = at.hold(accesses)
  const call = window.call(ns, method, args)
  await Promise.race([reached, call])
  const done = work()
  return { call, done, open }
}

verifies('user.erase.crowd', 'a call that is held up anywhere leaves nothing behind an erase', async () => {
  at = await openLives(BOB)
  await fc.assert(
    fc.asyncProperty(writing, fc.nat(8), fc.nat(LOOKS), async (asked, accesses, turns) => {
      await at.host.users.unblock(ADA)
      await at.live(ADA)
      const { call, done, open } = await heldUp(asked, accesses, () => at.host.users.erase(ADA))
      await looked(turns)
      open()
      await Promise.all([call, done])
      expect(await named(ADA)).toEqual([])
    }),
    { numRuns: rounds(20, 5) },
  )
})

verifies('user.erase.crowd', 'a call that is held up for longer is swept up behind it', async () => {
  at = await openLives(BOB)
  await at.live(ADA)
  const asked = ['storage', 'set', { key: 'late', value: ADA }] as const
  const { call, done, open } = await heldUp(asked, 2, () => at.host.users.erase(ADA))
  await looked(LOOKS)
  await at.clock.advance(limits.SHUTDOWN_MS)
  await done
  open()
  expect(await call).toMatchObject({ ok: true })
  while ((await named(ADA)).length > 0) await pause()
})

verifies('user.uninstall.crowd', 'nor behind an uninstall', async () => {
  at = await openLives(BOB)
  await at.live(ADA)
  const own = ['items', 'spaces', 'files', 'app_files', 'approvals']
  await fc.assert(
    fc.asyncProperty(writing, fc.nat(8), fc.nat(LOOKS), async (asked, accesses, turns) => {
      const { install_id } = await at.host.apps.install(ADA, { app_id: at.appId, version: '1.0.0', grants })
      const uninstall = () => at.host.apps.uninstall(ADA, install_id)
      const { call, done, open } = await heldUp(asked, accesses, uninstall)
      await looked(turns)
      open()
      await Promise.all([call, done])
      const left = (await exported(ADA)).filter(({ kind }) => own.includes(kind))
      const ofApp = left.map(({ row }) => JSON.stringify(row ?? '')).filter((text) => text.includes(at.appId))
      expect(ofApp.filter((text) => !text.includes('\\"shared\\"'))).toEqual([])
    }),
    { numRuns: rounds(20, 5) },
  )
})

verifies(
  ['user.erase.shut_out', 'user.data.operator'],
  'by the routes of the operator, and then is nobody until he is unblocked',
  async () => {
    at = await openLives(BOB)
    await at.live(ADA)
    const data = await asOperator(`${ADA}/data`, 'GET')
    expect(data.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const lines = (await data.text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(await exported(ADA))
    const cookie = await at.signIn(BOB)
    for (const [path, method] of [[`${ADA}/data`, 'GET'] as const, [ADA, 'DELETE'] as const])
      expect((await at.request(`/api/v1/svc-apps/admin/users/${path}`, { method, cookie })).status).toBe(403)
    expect((await asOperator(ADA, 'DELETE')).status).toBe(200)
    await expect(at.signIn(ADA)).rejects.toThrow('this user is blocked')
    expect(await at.all()).toContainEqual(expect.stringContaining(`removed_users ${removedId(ADA)}`))
    expect(await at.host.users.unblock(ADA)).toBe(true)
    await at.signIn(ADA)
    expect((await exported(ADA)).map(({ kind }) => kind)).toEqual(['users'])
    const acts = (await at.all()).filter((text) => /"user\.(erase|export)"/.test(text))
    expect(acts.every((text) => text.includes('"user_id":"operator"') && text.includes(ADA))).toBe(true)
    expect(acts.some((text) => text.includes('user.erase'))).toBe(true)
  },
)

test('an app file that an erased user shared in an app of another stays, and names nobody', async () => {
  at = await openLives(BOB)
  await at.live(ADA)
  const window = await at.openWindow(undefined, undefined, await at.signIn(ADA))
  await window.call('files', 'write', { path: 'ours', text: 'ours', scope: 'shared' })
  await at.host.users.erase(ADA)
  expect((await at.all()).filter((text) => text.startsWith('blob') && text.endsWith(' ours'))).toHaveLength(1)
})
