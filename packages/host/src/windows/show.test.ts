import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { filesOf, refusal, testManifest } from '../testing/services.ts'
import { opened, recordOf } from '../testing/windows.ts'

const DAY = 86_400_000

describe('close', () => {
  verifies('window.close.calls', 'ends the calls of the window that are under way', async () => {
    const { services, window } = await opened()
    const whose = { userId: 'ada', windowUuid: window.window_uuid }
    const call = services.underWay.enter(whose, () => new AbortController().signal)
    const gone = call.gone()
    await services.windows.close('ada', window.window_uuid, null)
    expect(gone.aborted).toBe(true)
    call.leave()
  })

  verifies(['window.close.status', 'window.close.event'], 'closes once and says so once', async () => {
    const { services, window } = await opened()
    await Promise.all([
      services.windows.close('ada', window.window_uuid, 'done'),
      services.windows.close('ada', window.window_uuid, 'again'),
    ])
    await services.windows.close('ada', window.window_uuid, 'later')
    const { row } = await recordOf(services, window.window_uuid)
    expect(row).toMatchObject({ status: 'closed', closed_at: services.clock.now(), due_at: null })
    const [event, ...others] = services.emittedOf('close_view')
    expect(others).toEqual([])
    expect(event).toMatchObject({
      userId: 'ada',
      windowUuid: window.window_uuid,
      payload: { reason: row.close_reason },
    })
  })

  test('closeAll closes the windows of that app and user only', async () => {
    const { services, app } = await opened()
    const other = await services.apps.register('ada', { slug: 'other', name: 'Other' })
    await services.apps.pushDraft('ada', other.app_id, {
      manifest: testManifest(),
      files: filesOf({ 'index.html': '' }),
    })
    await services.apps.install('ada', { app_id: other.app_id, version: '0.0.0-draft' })
    const kept = await services.windows.open('ada', { app_id: other.app_id })
    await services.windows.closeAll('ada', app.app_id, 'uninstalled')
    expect((await services.windows.list('ada')).map((row) => row.window_uuid)).toEqual([kept.window_uuid])
  })
})

describe('openView', () => {
  verifies(
    ['window.open_view.opens', 'window.open_view.payload'],
    'opens a view that is not open, with its payload, and tells the page',
    async () => {
      const { services, window, app } = await opened()
      const from = await recordOf(services, window.window_uuid)
      const shown = await services.windows.openView(from, 'editor', { note: 7 })
      expect(shown.created).toBe(true)
      const { row } = await recordOf(services, shown.window_uuid)
      expect(row).toMatchObject({ view: 'editor', payload: { note: 7 }, user_id: 'ada', app_id: app.app_id })
      expect(services.emittedOf('view_opened')).toEqual([
        {
          userId: 'ada',
          type: 'view_opened',
          windowUuid: window.window_uuid,
          payload: {
            app_id: app.app_id,
            opened_uuid: shown.window_uuid,
            view: 'editor',
            created: true,
            opened_by: app.app_id,
            payload: { note: 7 },
          },
        },
      ])
    },
  )

  verifies('window.open_view.focuses', 'raises a view that is open', async () => {
    const { services, window } = await opened()
    const from = await recordOf(services, window.window_uuid)
    const first = await services.windows.openView(from, 'editor', { note: 1 })
    await services.windows.raise('ada', window.window_uuid)
    const again = await services.windows.openView(from, 'editor', undefined)
    expect(again).toEqual({ window_uuid: first.window_uuid, created: false })
    const { row } = await recordOf(services, first.window_uuid)
    expect(row.geometry.z).toBe(4)
    expect(row.payload).toEqual({ note: 1 })
    const third = await services.windows.openView(from, 'editor', { note: 3 })
    expect((await recordOf(services, third.window_uuid)).row.payload).toEqual({ note: 3 })
  })

  verifies('apps.open', "opens another app's default view and tells the page of the opener", async () => {
    const { services, window } = await opened()
    const { app_id } = await services.apps.register('ada', { slug: 'other', name: 'Other' })
    const files = filesOf({ 'index.html': '' })
    await services.apps.pushDraft('ada', app_id, { manifest: testManifest(), files })
    await services.apps.install('ada', { app_id, version: '0.0.0-draft' })
    const from = await recordOf(services, window.window_uuid)
    const shown = await services.windows.openView(from, undefined, { note: 7 }, app_id)
    expect((await recordOf(services, shown.window_uuid)).row).toMatchObject({ app_id, payload: { note: 7 } })
    expect(services.emittedOf('view_opened')).toMatchObject([
      {
        windowUuid: window.window_uuid,
        payload: { app_id, opened_uuid: shown.window_uuid, view: 'main', created: true },
      },
    ])
  })

  test('of calls at once one opens and the others raise that one', async () => {
    const { services, window } = await opened()
    const from = await recordOf(services, window.window_uuid)
    const shown = await Promise.all(
      Array.from({ length: 8 }, () => services.windows.openView(from, 'editor', undefined)),
    )
    expect(shown.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(shown.map(({ window_uuid }) => window_uuid)).size).toBe(1)
  })

  test('a window that was silent for a day and not yet swept is not raised', async () => {
    const { services, window } = await opened()
    const from = await recordOf(services, window.window_uuid)
    const old = await services.windows.openView(from, 'editor', undefined)
    await services.clock.advance(DAY)
    const fresh = await services.windows.openView(from, 'editor', undefined)
    expect(fresh.created).toBe(true)
    expect((await recordOf(services, old.window_uuid)).row.status).toBe('closed')
  })

  verifies(
    'window.open_view.not_ready',
    'refuses an unknown view, and any new one without the entry file',
    async () => {
      const { services, window, app } = await opened()
      const from = await recordOf(services, window.window_uuid)
      expect(await refusal(services.windows.openView(from, 'nope', undefined))).toBe(
        'not_found: view must be one of "main", "editor", got "nope"',
      )
      await services.apps.pushDraft('ada', app.app_id, { manifest: testManifest(), files: new Map() })
      expect(await refusal(services.windows.openView(from, 'editor', undefined))).toMatch(/^bundle_not_ready/)
    },
  )
})

describe('raise', () => {
  verifies(['window.focus.raises', 'window.focus.event'], 'puts the window on top and says so', async () => {
    const { services, app, window } = await opened()
    await services.windows.open('ada', { app_id: app.app_id })
    await services.windows.raise('ada', window.window_uuid)
    await services.windows.raise('ada', window.window_uuid)
    const geometry = { w: 400, h: 300, z: 3 }
    expect((await recordOf(services, window.window_uuid)).row.geometry).toEqual(geometry)
    expect(services.emittedOf('window_focus_changed').map(({ payload }) => payload)).toEqual([
      { focused: true, geometry },
      { focused: true, geometry },
    ])
  })
})

describe('change', () => {
  test('loses no change of twenty at once, and the copy is fresh', async () => {
    const { services, window } = await opened()
    const uuid = window.window_uuid
    await Promise.all(
      Array.from({ length: 20 }, () =>
        services.windows.change(uuid, (row) => ({ ...row, title: `${row.title}.` })),
      ),
    )
    expect((await recordOf(services, uuid)).row.title).toBe(`All notes${'.'.repeat(20)}`)
    expect((await services.copies.windows.get(uuid))?.row.title).toBe(`All notes${'.'.repeat(20)}`)
  })

  test('is null for a closed, a lapsed and an unknown window', async () => {
    const { services, app, window } = await opened()
    const lapsed = await services.windows.open('ada', { app_id: app.app_id })
    await services.windows.close('ada', window.window_uuid, null)
    await services.clock.advance(DAY)
    for (const uuid of [window.window_uuid, lapsed.window_uuid, 'nothing'])
      expect(await services.windows.change(uuid, (row) => ({ ...row, title: 'x' }))).toBeNull()
  })
})
