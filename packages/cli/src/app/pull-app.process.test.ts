import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { good, tar, tarCases } from '@svc/conformance/testing/tar-cases'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { listedApp, openStrangeHost, type StrangeHost } from '../testing/strange-host.ts'
import { pullApp } from './pull-app.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-pull-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

/** Pulls an app of a host that sends this. */
async function pull(sends: StrangeHost, more: { readonly version?: string; readonly app?: string } = {}) {
  const host = await openStrangeHost(sends)
  onTestFinished(() => host.close())
  const said: string[] = []
  const { signal } = new AbortController()
  const input = { app: 'notes', version: undefined, to: path.join(dir, 'app'), signal, ...more }
  const report = await pullApp(host.client, { ...input, say: (line) => void said.push(line) })
  return { report, said }
}

it('writes what the host sends, and what a push needs', async () => {
  const { report } = await pull({ archive: good() })
  expect(report).toMatchObject({ app_id: 'app_1', slug: 'notes', version: '0.0.0-draft', files: 1, bytes: 5 })
  expect(readdirSync(path.join(dir, 'app')).toSorted()).toEqual([
    'index.html',
    'manifest.json',
    'svc.app.json',
  ])
  const note: unknown = JSON.parse(readFileSync(path.join(dir, 'app/svc.app.json'), 'utf8'))
  expect(note).toEqual({ app_id: 'app_1', slug: 'notes' })
})

/** What is wrong only as gzip is a good tar archive. */
const bad = Object.keys(tarCases).filter((name) => name !== 'tar under the type of gzip')

verifies.each('cli.pull.safe')(bad)('writes nothing of an archive with %s', async (name) => {
  const archive = tarCases[name]?.bytes() ?? Buffer.of()
  await expect(pull({ archive })).rejects.toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('what the host sent was not unpacked: '),
  })
  expect(readdirSync(dir)).toEqual([])
})

verifies.each('cli.pull.safe')<[what: string, sends: StrangeHost, says: string]>([
  ['a slug that leads out', { apps: [listedApp({ slug: '../notes' })] }, 'is not a slug'],
  ['a slug with a control character', { apps: [listedApp({ slug: 'a\u001b[2J' })] }, 'is not a slug'],
  ['no manifest', { archive: tar().subarray(1_024) }, 'was not unpacked: the archive has no files'],
  ['JSON in place of an archive', { archive: Buffer.from('{}'), type: 'application/json' }, 'did not send'],
  ['a page', { archive: Buffer.from('<p>'), type: 'text/html' }, 'no JSON that a host would send'],
  ['less than it said', { archive: good(), says: 100_000 }, 'cut the download off'],
  [
    'a refusal',
    {
      archive: Buffer.from('{"error":{"code":"not_found","message":"there is no such app"}}'),
      type: 'application/json',
      status: 404,
    },
    'there is no such app',
  ],
])('writes nothing where the host sends %s', async (_what, sends, says) => {
  const app = String((sends.apps?.[0] as { slug?: string } | undefined)?.slug ?? 'notes')
  await expect(pull(sends, { app })).rejects.toMatchObject({
    name: 'Failure',
    message: expect.stringContaining(says),
  })
  expect(readdirSync(dir)).toEqual([])
})

it('keeps its own note, whatever the bundle has under that name', async () => {
  const evil = { name: 'svc.app.json', body: '{"app_id":"app_evil","slug":"evil"}' }
  const { said } = await pull({ archive: tar(evil) })
  expect(said).toEqual(['leaves out the svc.app.json of the bundle'])
  expect(readFileSync(path.join(dir, 'app/svc.app.json'), 'utf8')).toContain('app_1')
})

it('says that a push would build what looks like sources', async () => {
  const { said } = await pull({
    archive: tar({ name: 'index.html' }, { name: 'public/manifest.json', body: '{}' }),
  })
  expect(said).toEqual([expect.stringContaining('takes such a folder for sources')])
})

it.each([
  [
    'the draft of an app without one',
    { apps: [listedApp({ draft: null })] },
    {},
    'nothing was pushed of notes yet',
  ],
  ['an app that is not in the list', {}, { app: 'note' }, 'there is no app "note" of this user'],
  ['an app whose name is too long', {}, { app: 'n'.repeat(101) }, 'there is no app "nnn'],
])('refuses %s', async (_what, sends, more, says) => {
  await expect(pull(sends, more)).rejects.toMatchObject({
    kind: 'host',
    code: 'not_found',
    message: expect.stringContaining(says),
  })
  expect(existsSync(path.join(dir, 'app'))).toBe(false)
})
