import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import type { Host } from '@svc/host'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openHost } from '../testing/open-host.ts'
import { runHere } from '../testing/run-here.ts'

/** A command is a process. */
const SLOW_MS = 60_000
let host: Host
let url = ''
beforeAll(async () => {
  ;({ host, url } = await openHost())
})
afterAll(() => host.close())

let dir = ''
let user = ''
let users = 0
beforeEach(() => {
  users += 1
  user = `user-${users}`
  dir = mkdtempSync(path.join(tmpdir(), 'svc-found-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const svc = (...args: string[]) => runHere([...args, '--host', url, '--user', user], { cwd: dir })
const json = async (...args: string[]): Promise<Record<string, unknown>> => {
  const { code, out } = await svc(...args, '--json')
  const told: Record<string, unknown> = JSON.parse(out)
  return { ...told, code }
}
/** How `svc app` ends, and what it says of it. */
const refused = async (...args: string[]) => {
  const { code, err } = await svc('app', ...args)
  return [code, err]
}
const fileOf = (name: string) => readFileSync(path.join(dir, name), 'utf8')

/** An app of the user with a release, and a draft that was pushed after it. */
async function pushed() {
  const { app_id } = await host.apps.register(user, { slug: 'notes', name: 'Notes' })
  const ui = { bundle: { entry: 'index.html' }, views: [{ name: 'main' }] }
  const push = (text: string) =>
    host.apps.pushDraft(user, app_id, {
      manifest: { schema: 3, name: 'Field notes', ui },
      files: new Map([
        ['index.html', Buffer.from(text)],
        ['js/main.js', Buffer.from('export {}')],
      ]),
    })
  await push('one')
  await host.apps.release(user, app_id, '1.0.0')
  return { app_id, ...(await push('two!')) }
}

describe('a developer who lost a folder', { timeout: SLOW_MS }, () => {
  verifies(
    ['cli.app.list', 'cli.app.pull'],
    'finds the app, pulls draft and release, and pushes from there',
    async () => {
      const app = await pushed()
      const listed = await svc('app', 'list', '--search', 'FIELD')
      expect(listed.out).toMatch(
        /^ {2}slug +name +draft +release +app_id\n {2}notes +Notes +20\S+ \d\d:\d\d UTC, 2 files, 13 bytes +1\.0\.0 +app_\w+\n$/,
      )
      const versions = await svc('app', 'list', 'notes')
      expect(versions.out).toMatch(
        /^notes is app_\w+\n {2}version +name +made +bundle\n {2}0\.0\.0-draft +Field notes .*13 bytes\n {2}1\.0\.0 +Field notes .*12 bytes\n$/,
      )

      expect(await svc('app', 'pull', 'notes')).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^pulled notes 0\.0\.0-draft into notes: 2 files, 13 bytes\n$/),
        err: '',
      })
      expect(fileOf('notes/index.html')).toBe('two!')
      expect(fileOf('notes/js/main.js')).toBe('export {}')
      expect(await json('app', 'push', 'notes')).toMatchObject({
        code: 0,
        app_id: app.app_id,
        registered: false,
        digest: app.digest,
      })
      const release = await json('app', 'pull', app.app_id, '--version', '1.0.0', '--to', 'old')
      expect(release).toMatchObject({
        code: 0,
        ok: true,
        slug: 'notes',
        version: '1.0.0',
        files: 2,
        bytes: 12,
      })
      expect(fileOf('old/index.html')).toBe('one')
      expect(readdirSync(dir).filter((name) => !name.startsWith('.state'))).toEqual(['notes', 'old'])
    },
  )

  it('is told what is not there, and where a folder is in the way', async () => {
    await pushed()
    mkdirSync(path.join(dir, 'notes/js'), { recursive: true })
    expect(await refused('pull', 'notes')).toEqual([
      3,
      expect.stringMatching(/^svc: \S+notes has files\n {5}Name a folder that is new or empty: --to DIR\n$/),
    ])
    expect(await refused('pull', 'notes', '--version', '2.0.0', '--to', 'new')).toEqual([
      6,
      expect.stringMatching(
        /^svc: there is no version "2\.0\.0" .*\n {5}svc app list notes shows what there is\.\n {5}See "not_found" in the reference of errors\.\n$/,
      ),
    ])
    expect(await refused('pull', 'other')).toEqual([6, expect.stringContaining('there is no app "other"')])
  })

  it('is told which options do not fit', async () => {
    expect(await refused('pull', 'notes', '--version', '1')).toEqual([
      2,
      expect.stringContaining('must be SemVer'),
    ])
    expect(await refused('pull', 'notes', '--version', '1.0.0', '--draft')).toEqual([
      2,
      expect.stringContaining('--version and --draft'),
    ])
    expect(await refused('list', 'notes', '--search', 'x')).toEqual([2, expect.stringContaining('--search')])
  })

  it('finds nothing of another user', async () => {
    await pushed()
    user = `${user}-else`
    expect(await refused('pull', 'notes', '--to', 'new')).toEqual([
      6,
      expect.stringContaining('there is no app "notes" of this user'),
    ])
    expect((await svc('app', 'list')).out).toBe(
      'You have no apps on this host yet: svc app push registers one.\n',
    )
    expect((await svc('app', 'list', '--search', 'x')).out).toBe('No app of yours is found by "x".\n')
  })

  verifies('cli.app.list', 'has all pages of a long list', async () => {
    const slugs = Array.from({ length: 100 }, (_, at) => `app-${String(at).padStart(3, '0')}`)
    for (const slug of slugs.toReversed()) await host.apps.register(user, { slug, name: `App ${slug}` })
    const { apps } = (await json('app', 'list')) as { apps?: readonly { slug: string }[] }
    expect(apps?.map(({ slug }) => slug)).toEqual(slugs)
  })

  verifies('cli.plug.mine', 'lists the own plugins alone, and searches them', async () => {
    const create = (owner: string, name: string) =>
      host.publishing.create(owner, {
        name,
        type: 'tool',
        visibility: 'public',
        manifest: { name: 'weather', version: '1.2.0', tools: [] },
        distribution: { type: 'npm', package_name: 'weather', version: '1.0.0' },
      })
    const sky = (await create(user, 'Sky')).tool_id
    // The newest first: the next one is of a later millisecond.
    const at = Date.now()
    await expect.poll(() => Date.now()).toBeGreaterThan(at)
    const mine = [sky, (await create(user, 'Sea')).tool_id]
    const other = (await create('bob', 'Sky of Bob')).tool_id
    const ids = async (...args: string[]) => {
      const { plugs } = (await json('plug', 'list', ...args)) as { plugs?: readonly { tool_id: string }[] }
      return plugs?.map(({ tool_id }) => tool_id)
    }
    expect(await ids('--mine')).toEqual(mine.toReversed())
    expect(await ids('--mine', '--search', 'sky')).toEqual(mine.slice(0, 1))
    expect(await ids('--search', 'sky')).toEqual([mine[0], other])
    expect((await svc('plug', 'list', '--mine', '--search', 'rain')).out).toBe(
      'No plugin is found by "rain".\n',
    )
  })
})
