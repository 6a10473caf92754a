import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { filesOf, installedDraft, refusal, testManifest, testServices } from '../testing/services.ts'
import { entryOf, opened, recordOf } from '../testing/windows.ts'

const MINUTE = 60_000

describe('open', () => {
  verifies(
    ['route.windows.open', 'token.window.minted', 'decision.draft.with_files'],
    'answers what a page needs',
    async () => {
      const { window, app } = await opened()
      expect(window).toEqual({
        window_uuid: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        token: expect.any(String),
        expires_in: 120,
        entry_url: entryOf(app.digest, window.window_uuid),
        view_meta: expect.objectContaining({ name: 'main', w: 400, h: 300, min_w: 120, max_w: 10_000 }),
        geometry: { w: 400, h: 300, z: 1 },
        title: 'All notes',
        browser: [],
      })
    },
  )

  verifies(
    'token.window.claims',
    'mints a token that names window, user, app, version and scopes',
    async () => {
      const { services, window, app } = await opened()
      const claims = await services.tokens.verify('window', window.token)
      expect(claims).toMatchObject({
        wid: window.window_uuid,
        user_id: 'ada',
        app_id: app.app_id,
        version_id: app.version_id,
        scopes: expect.arrayContaining(['window.hello']),
      })
      expect(claims?.scopes.every((scope) => scope.startsWith('window.'))).toBe(true)
    },
  )

  test('a window without a title of its view has the one of its app, and stands above the others', async () => {
    const { services, app } = await opened()
    const second = await services.windows.open('ada', { app_id: app.app_id, view: 'editor' })
    expect(second).toMatchObject({ title: 'Notes', geometry: { w: 500, h: 600, z: 2 } })
  })

  test.each([
    ['an unknown app', { app_id: 'app_x' }, 'not_found: the app "app_x" is not installed'],
    ['an unknown view', { view: 'none' }, 'not_found: view must be one of "main", "editor", got "none"'],
    [
      'an inherited name as view',
      { view: '__proto__' },
      'not_found: view must be one of "main", "editor", got "__proto__"',
    ],
    [
      'a payload over its cap',
      { payload: 'x'.repeat(65_535) },
      'invalid_arg: payload must have at most 65536 bytes of JSON, got 65537',
    ],
  ])('%s is refused', async (_what, request, says) => {
    const { services, app } = await opened()
    expect(await refusal(services.windows.open('ada', { app_id: app.app_id, ...request }))).toBe(says)
  })

  verifies('decision.draft.without_entry', 'without the entry file it is bundle_not_ready', async () => {
    const services = testServices()
    const { app_id } = await installedDraft(services)
    await services.apps.pushDraft('ada', app_id, { manifest: testManifest(), files: new Map() })
    const says = 'bundle_not_ready: the entry file "index.html" has not been pushed yet'
    expect(await refusal(services.windows.open('ada', { app_id }))).toBe(says)
  })

  test('an app that another user installed is not installed', async () => {
    const { services, app } = await opened()
    expect(await refusal(services.windows.open('bob', { app_id: app.app_id }))).toMatch(/^not_found/)
  })

  test('of 20 opened at once with room for 5, 5 are', async () => {
    const services = testServices({ limits: { WINDOWS_OPEN_MAX: 5 } })
    const { app_id } = await installedDraft(services)
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => services.windows.open('ada', { app_id })),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await refusal(services.windows.open('ada', { app_id }))).toMatch(
      /^quota_exceeded: a user may have 5/,
    )
  })

  verifies(
    'window.gives_way',
    'at a cap the window that was silent longest gives way, once no page shows it',
    async () => {
      const services = testServices({ limits: { WINDOWS_PER_APP: 3 } })
      const { app_id } = await installedDraft(services)
      const open = () => services.windows.open('ada', { app_id })
      const uuids = async () => (await services.windows.list('ada')).map(({ window_uuid }) => window_uuid)
      const [first, second, third] = [await open(), await open(), await open()]
      await services.clock.advance(119_000)
      services.windows.seen(await recordOf(services, first.window_uuid), services.clock.now())
      await services.clock.advance(999)
      expect(await refusal(open())).toMatch(/^quota_exceeded: an app may have 3/)
      await services.clock.advance(1)
      const fourth = await open()
      expect(await uuids()).toEqual([first, third, fourth].map(({ window_uuid }) => window_uuid))
      expect((await recordOf(services, second.window_uuid)).row.close_reason).toBe(
        'another window needed its place',
      )
      const fifth = await open()
      expect(await uuids()).toEqual([first, fourth, fifth].map(({ window_uuid }) => window_uuid))
      expect(await refusal(open())).toMatch(/^quota_exceeded/)
    },
  )

  verifies(
    'window.gives_way',
    'a page of four windows that is loaded anew 200 times, and closes one in ten times nothing, is never refused',
    async () => {
      const services = testServices({ limits: { WINDOWS_PER_APP: 32 } })
      const { app_id } = await installedDraft(services)
      const kept = await services.windows.open('ada', { app_id })
      for (let load = 1; load <= 200; load++) {
        const opened = [1, 2, 3, 4].map(() => services.windows.open('ada', { app_id }))
        const uuids = (await Promise.all(opened)).map(({ window_uuid }) => window_uuid)
        await services.clock.advance(1_000)
        services.windows.seen(await recordOf(services, kept.window_uuid), services.clock.now())
        await services.clock.advance(1_000)
        if (load % 10 > 0) await Promise.all(uuids.map((uuid) => services.windows.close('ada', uuid, null)))
      }
      const open = await services.windows.list('ada')
      expect(open.map(({ window_uuid }) => window_uuid)).toContain(kept.window_uuid)
      expect(open.length).toBeLessThanOrEqual(services.limits.WINDOWS_PER_APP)
    },
  )

  verifies('access.bound_version', 'a window stays with the version it was opened at', async () => {
    const { services, app, window } = await opened()
    const release = await services.apps.release('ada', app.app_id, '1.0.0')
    await services.apps.install('ada', { app_id: app.app_id, version: '1.0.0' })
    const second = await services.windows.open('ada', { app_id: app.app_id })
    expect((await recordOf(services, window.window_uuid)).row.version_id).toBe(app.version_id)
    expect((await recordOf(services, second.window_uuid)).row.version_id).toBe(release.version_id)
  })
})

describe('list', () => {
  verifies('route.windows.list', 'gives the open windows of the user, oldest first', async () => {
    const { services, app, window } = await opened()
    await services.clock.advance(1)
    const second = await services.windows.open('ada', { app_id: app.app_id, view: 'editor' })
    await services.clock.advance(1)
    const third = await services.windows.open('ada', { app_id: app.app_id })
    await services.windows.close('ada', third.window_uuid, null)
    const listed = await services.windows.list('ada')
    expect(listed.map(({ window_uuid, view, status }) => [window_uuid, view, status])).toEqual([
      [window.window_uuid, 'main', 'open'],
      [second.window_uuid, 'editor', 'open'],
    ])
    expect(listed[0]).toMatchObject({
      entry_url: window.entry_url,
      view_meta: { name: 'main' },
      title: 'All notes',
    })
    expect(await services.windows.list('bob')).toEqual([])
  })

  test('a window whose view the draft dropped is listed with the default one', async () => {
    const { services, app } = await opened('editor')
    const manifest = testManifest({ views: [{ name: 'only' }] })
    await services.apps.pushDraft('ada', app.app_id, { manifest, files: filesOf({ 'index.html': 'x' }) })
    expect(await services.windows.list('ada')).toMatchObject([
      { view: 'editor', view_meta: { name: 'only' } },
    ])
  })

  test('finds more windows than one page of a scan', async () => {
    const { services, app } = await opened()
    for (let more = 0; more < 120; more++) await services.windows.open('ada', { app_id: app.app_id })
    expect(await services.windows.list('ada')).toHaveLength(121)
  })
})

describe('whose window it is', () => {
  const gone = 'not_found: there is no open window of that id for this user'

  verifies(['wall.own_keys', 'route.foreign'], 'foreign, unknown and closed read the same', async () => {
    const { services, window } = await opened()
    const { window_uuid } = window
    expect(await refusal(services.windows.token('bob', window_uuid))).toBe(gone)
    expect(await refusal(services.windows.token('ada', 'nothing'))).toBe(gone)
    expect(await refusal(services.windows.close('bob', window_uuid, null))).toBe(gone)
    expect(await refusal(services.windows.raise('bob', window_uuid))).toBe(gone)
    await services.windows.close('ada', window_uuid, null)
    expect(await refusal(services.windows.token('ada', window_uuid))).toBe(gone)
    expect(await refusal(services.windows.raise('ada', window_uuid))).toBe(gone)
  })

  verifies('route.windows.token', 'its user gets a fresh token', async () => {
    const { services, window } = await opened()
    await services.clock.advance(MINUTE)
    const fresh = await services.windows.token('ada', window.window_uuid)
    expect(fresh.expires_in).toBe(120)
    await services.clock.advance(MINUTE + 3_000)
    expect(await services.tokens.verify('window', window.token)).toBeNull()
    expect(await services.tokens.verify('window', fresh.token)).toMatchObject({ wid: window.window_uuid })
  })
})
