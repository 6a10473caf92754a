import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { memoryStore } from '@svc/state'
import { afterAll, describe, expect, test } from 'vitest'
import { removedId, removedUsers } from '../access/users/sign-in.ts'
import { DRAFT_VERSION, installs, users, versions } from '../catalog/records.ts'
import { refusal, testManifest, testServices } from '../testing/services.ts'
import { bundleFile } from './bundle-file.ts'
import { openApps } from './open-apps.ts'

describe('configured apps', () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-apps-'))
  afterAll(() => rmSync(root, { recursive: true }))

  function folder(name: string, manifest: unknown, more: Readonly<Record<string, string>> = {}) {
    const dir = join(root, name)
    mkdirSync(join(dir, 'assets'), { recursive: true })
    for (const [path, text] of Object.entries({ 'index.html': '<p>', 'assets/a.js': 'a', ...more }))
      writeFileSync(join(dir, path), text)
    writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest))
    return dir
  }

  const asking = (name: string) =>
    testManifest({ name, host_api: { image: ['*'], web: ['fetch'], storage: ['get'], chat: ['*'] } })

  verifies('host.config.apps', 'are there for each user, with the configured grants', async () => {
    const dir = folder('given', asking('CSV Lens'))
    const services = testServices({ configured: [{ dir, grants: { upload_grant: true } }] })
    const listed = await services.apps.installed('ada')
    expect(listed).toMatchObject([
      { slug: 'csv-lens', name: 'CSV Lens', version: DRAFT_VERSION, grants: { upload_grant: true } },
    ])
    const { app_id = '' } = listed[0] ?? {}
    await expect(services.windows.open('bob', { app_id })).resolves.toMatchObject({ title: 'All notes' })
    const version = await services.store.scan(versions, 'byApp', { eq: [app_id], limit: 1 })
    expect(Object.keys(version.rows[0]?.row.files ?? {})).toEqual(['assets/a.js', 'index.html'])
  })

  test.each([
    [true, { image_grant: true, web_grant: true, allowed_scopes: ['shared'] }],
    [false, {}],
  ])('without grants in the configuration: harness %s gives %j', async (harness, grants) => {
    const services = testServices({
      settings: { harness },
      configured: [{ dir: folder('asks', asking('Asks')) }],
    })
    expect(await services.apps.installed('ada')).toMatchObject([{ grants }])
  })

  test.each(['reload', 'restart'])(
    'what a manifest newly asks for is granted in the harness: %s',
    async (how) => {
      const manifest = (tools: string[], host_api: object = {}) =>
        testManifest({
          name: `Grows ${how}`,
          host_api: { agent: { session: { auto: true }, tools }, ...host_api },
        })
      const store = memoryStore()
      const open = (dir: string) =>
        testServices({ settings: { harness: true }, configured: [{ dir }], store })
      const before = open(folder(`grows-${how}`, manifest(['time_now'], { image: ['*'] })))
      const [{ app_id = '', version_id = '' } = {}] = await before.apps.installed('ada')
      await before.apps.install('ada', { app_id, version: DRAFT_VERSION, grants: {} })
      const dir = folder(
        `grows-${how}`,
        manifest(['time_now', 'web_fetch'], { image: ['*'], web: ['fetch'] }),
      )
      const after = how === 'reload' ? before : open(dir)
      if (how === 'reload') await before.apps.reload(dir)
      // What its user took back stays taken back.
      expect(await after.apps.installed('ada')).toMatchObject([
        { app_id, version_id, grants: { agent: { platform_tools: ['web_fetch'] }, web_grant: true } },
      ])
      expect(await after.apps.installed('ada')).not.toMatchObject([{ grants: { image_grant: true } }])
    },
  )

  test('an app that keeps files asks for the scope shared as one that stores does', async () => {
    const manifest = testManifest({ name: 'Files', host_api: { files: ['read'] } })
    const services = testServices({
      settings: { harness: true },
      configured: [{ dir: folder('files', manifest) }],
    })
    expect(await services.apps.installed('ada')).toMatchObject([{ grants: { allowed_scopes: ['shared'] } }])
  })

  test('listing at once installs once; taken away it stays away, until the user installs it', async () => {
    const services = testServices({ configured: [{ dir: folder('once', asking('Once')) }] })
    const lists = await Promise.all(Array.from({ length: 8 }, () => services.apps.installed('ada')))
    expect(new Set(lists.flat().map(({ install_id }) => install_id)).size).toBe(1)
    const { install_id = '', app_id = '' } = lists[0]?.[0] ?? {}
    await services.apps.uninstall('ada', install_id)
    expect(await services.apps.installed('ada')).toEqual([])
    expect(await services.apps.installed('bob')).toHaveLength(1)
    await services.apps.install('ada', { app_id, version: DRAFT_VERSION, grants: { web_grant: true } })
    expect(await services.apps.installed('ada')).toMatchObject([{ app_id, grants: { web_grant: true } }])
  })

  verifies('user.block.meanwhile', 'are not given to who is blocked or erased', async () => {
    const services = testServices({ configured: [{ dir: folder('shut', asking('Shut')) }] })
    await services.store.insert(users, 'bob', { created_at: 0, blocked_at: 0 })
    await services.store.insert(removedUsers, removedId('eve'), { removed_at: 0 })
    const listed = await Promise.all(['ada', 'bob', 'eve'].map(services.apps.installed))
    expect(listed.map(({ length }) => length)).toEqual([1, 0, 0])
    for (const id of ['bob', 'eve'])
      expect((await services.store.scan(installs, 'byUser', { eq: [id], limit: 1 })).rows).toEqual([])
  })

  verifies('user.block.meanwhile', 'what its user installed before a block is kept', async () => {
    const store = memoryStore()
    const meanwhile: Pick<typeof store, 'insert'> = {
      async insert(of, id, row, options) {
        if (of.name === installs.name) {
          await store.insert(of, id, { ...row, install_id: 'install_own' })
          await store.insert(users, 'ada', { created_at: 0, blocked_at: 0 })
        }
        return store.insert(of, id, row, options)
      },
    }
    const dir = folder('kept', asking('Kept'))
    const services = testServices({ configured: [{ dir }], store: { ...store, ...meanwhile } })
    await services.apps.installed('ada')
    const kept = await store.scan(installs, 'byUser', { eq: ['ada'], limit: 2 })
    expect(kept.rows).toMatchObject([{ row: { install_id: 'install_own' } }])
  })

  test('reload pushes what changed and says whether it did', async () => {
    const dir = folder('watched', asking('Watched'))
    const services = testServices({ configured: [{ dir }] })
    const [{ app_id = '' } = {}] = await services.apps.installed('ada')
    const { window_uuid } = await services.windows.open('ada', { app_id })
    expect(await services.apps.reload(dir)).toMatchObject({ app_id, changed: false })
    writeFileSync(join(dir, 'index.html'), '<h1>')
    expect(await services.apps.reload(dir)).toMatchObject({ app_id, changed: true })
    expect(services.emittedOf('bundle_changed')).toMatchObject([{ windowUuid: window_uuid }])
    expect(await refusal(services.apps.reload(root))).toMatch(/^not_found/)
  })

  verifies('host.config.apps', 'are listed by name for each user, whenever they were installed', async () => {
    const names = ['Notes 10', 'csv lens', 'Notes 9', 'Agent chat']
    const services = testServices({ configured: names.map((name) => ({ dir: folder(name, asking(name)) })) })
    const sorted = ['Agent chat', 'csv lens', 'Notes 9', 'Notes 10']
    const listed = async (user: string) => (await services.apps.installed(user)).map(({ name }) => name)
    expect(await listed('ada')).toEqual(sorted)
    const [, lens] = await services.apps.installed('ada')
    await services.apps.uninstall('ada', lens?.install_id ?? '')
    await services.apps.install('ada', { app_id: lens?.app_id ?? '', version: DRAFT_VERSION })
    await services.windows.open('bob', { app_id: lens?.app_id ?? '' })
    expect([await listed('ada'), await listed('bob')]).toEqual([sorted, sorted])
  })

  verifies(
    'event.build_changed',
    'tells the windows of an app why its build failed, and that it is good again',
    async () => {
      const dir = folder('broken', asking('Broken'))
      const services = testServices({ configured: [{ dir }] })
      const [{ app_id = '' } = {}] = await services.apps.installed('ada')
      const { window_uuid } = await services.windows.open('ada', { app_id })
      const listed = async () => (await services.apps.installs('ada'))[0]?.build_problem
      expect(await listed()).toBeNull()
      await services.apps.reload(dir)
      expect(services.emittedOf('build_changed')).toEqual([])

      const message = `\u001b[31mUnexpected token\n${'x'.repeat(5_000)}`
      const told = { message, file: 'src/main.ts', line: 3, column: 7, hint: 'Correct it.' }
      await services.apps.reportProblem(dir, 'build', told)
      const problem = {
        ...told,
        part: 'build',
        message: `\\u001b[31mUnexpected token ${'x'.repeat(5_000)}`.slice(0, 4_000),
      }
      expect(await listed()).toEqual(problem)
      await services.apps.reload(dir)
      expect(await listed()).toBeNull()
      expect(services.emittedOf('build_changed')).toMatchObject([
        { windowUuid: window_uuid, payload: { app_id, problem } },
        { windowUuid: window_uuid, payload: { app_id, problem: null } },
      ])
      expect(await refusal(services.apps.reportProblem(root, 'build', told))).toMatch(/^not_found/)
    },
  )

  test('shows a failed build before what a plugin or a window says, and each until it is over', async () => {
    const dir = folder('worse', asking('Worse'))
    const services = testServices({ configured: [{ dir }] })
    await services.apps.installed('ada')
    const shown = async () => (await services.apps.installs('ada'))[0]?.build_problem?.message ?? null
    const told = (message: string) => ({ message, file: null, line: null, column: null, hint: null })
    const say = (part: 'app' | 'build' | 'plugin', text: string | null) =>
      services.apps.reportProblem(dir, part, text === null ? null : told(text))
    await say('plugin', 'it ended')
    expect(await shown()).toBe('it ended')
    await say('app', 'x is not a function')
    await say('build', 'Unexpected token')
    expect(await shown()).toBe('Unexpected token')
    await services.apps.reload(dir)
    expect(await shown()).toBe('x is not a function')
    await say('app', null)
    expect(await shown()).toBe('it ended')
    await say('plugin', null)
    expect(await shown()).toBeNull()
  })

  test('over a lasting store a second host meets the same app', async () => {
    const dir = folder('lasting', asking('Lasting'))
    const services = testServices({ configured: [{ dir }] })
    const [first] = await services.apps.installed('ada')
    const again = openApps(services, [{ dir }])
    expect(await again.installed('ada')).toEqual([first])
  })

  test('secrets and what no browser needs are left out', async () => {
    const dir = folder('secrets', asking('Secrets'), {
      '.env': 'KEY=1',
      'tls.key': 'k',
      'index.html~': '<p>',
    })
    mkdirSync(join(dir, '.git'))
    symlinkSync('/etc/hostname', join(dir, '.git/out'))
    const services = testServices({ configured: [{ dir }] })
    await services.apps.ready()
    const { rows } = await services.store.scan(versions, 'byApp', { limit: 1 })
    expect(Object.keys(rows[0]?.row.files ?? {})).toEqual(['assets/a.js', 'index.html'])
  })

  test.each(['.env', '%2eenv', 'keys/tls.key', '.git/config'])(
    'what is developed gives no %s',
    async (path) => {
      const dev = {
        connect: [],
        read: async () => ({ status: 200, type: 'text/plain', bytes: Buffer.from('KEY=1') }) as const,
      }
      const services = testServices({ configured: [{ dir: folder('dev', asking('Dev')), dev }] })
      await services.apps.ready()
      const { rows } = await services.store.scan(versions, 'byApp', { limit: 1 })
      const request = {
        origin: 'http://localhost',
        pages: [],
        mode: null,
        search: '',
        accept: null,
        ticket: null,
        ticketInPath: false,
        label: null,
      }
      const ask = (name: string) => bundleFile(services, rows[0]?.row.digest ?? '', name, request)
      expect((await ask('main.txt')).status).toBe(200)
      expect((await ask(path)).status).toBe(404)
    },
  )

  test('a link to a file inside is followed', async () => {
    const dir = folder('linked', asking('Linked'))
    symlinkSync(join(dir, 'index.html'), join(dir, 'home.html'))
    const services = testServices({ configured: [{ dir }] })
    await expect(services.apps.ready()).resolves.toBeUndefined()
  })

  test.each([
    [
      'a link to a file outside',
      (dir: string) => symlinkSync('/etc/hostname', join(dir, 'out')),
      /must be a plain file inside/,
    ],
    [
      'a link to a folder',
      (dir: string) => symlinkSync(join(dir, 'assets'), join(dir, 'more')),
      /must be a plain file inside/,
    ],
    ['a dangling link', (dir: string) => symlinkSync(join(dir, 'nothing'), join(dir, 'x')), /ENOENT/],
    ['no manifest', (dir: string) => rmSync(join(dir, 'manifest.json')), /manifest.json must be at the root/],
    [
      'a wrong manifest',
      (dir: string) => writeFileSync(join(dir, 'manifest.json'), '{}'),
      /manifest.schema /,
    ],
    ['no folder', (dir: string) => rmSync(dir, { recursive: true }), /ENOENT/],
  ])('%s: ready names the folder', async (what, spoil, says) => {
    const dir = folder(what.replaceAll(' ', '-'), asking('Spoilt'))
    spoil(dir)
    const services = testServices({ configured: [{ dir }] })
    await expect(services.apps.ready()).rejects.toThrow(says)
    await expect(services.apps.ready()).rejects.toThrow(`the app in ${dir} cannot be used`)
  })

  test('two folders of one name are refused', async () => {
    const dirs = ['twin-a', 'twin-b'].map((name) => ({ dir: folder(name, asking('Twin')) }))
    const [a, b] = dirs
    await expect(testServices({ configured: dirs }).apps.ready()).rejects.toThrow(
      `the app in ${b?.dir} cannot be used: the app in ${a?.dir} has the same name; change "name" in the manifest of one of them`,
    )
  })
})
