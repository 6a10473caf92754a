import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { describe, expect, test, vi } from 'vitest'
import { NOT_THERE, withPlugin } from '../../testing/plugins.ts'
import { publishingBed, weather } from '../../testing/publishing.ts'

describe('which version is called', () => {
  verifies(
    ['version.pinned', 'version.live_record', 'plug.live.redeployed'],
    'a release keeps what it pinned; a draft has the live record of the own plugin',
    async () => {
      const { app, open, invoke, list, services, toolId } = await withPlugin('private')
      const appId = await app('ada', [toolId])
      expect(await services.apps.release('ada', appId, '1.0.0')).toMatchObject({
        pins: { [toolId]: '1.0.0' },
      })
      const released = await open('ada', appId, '1.0.0')
      await services.publishing.edit('ada', toolId, { manifest: weather('Edited.', '1.5.0') })
      expect(await invoke(released, toolId)).toBe('1.0.0')
      expect(await list(released)).toEqual(['The weather. available'])
      await services.publishing.publish('ada', toolId, {})
      expect(await invoke(released, toolId)).toBe('1.0.0')
      const draft = await open('ada', appId)
      expect(await list(draft)).toEqual([expect.stringMatching(/^Edited\. /)])
      expect(await invoke(draft, toolId)).toMatch(/^1\.5\.0\+live\./)
      expect(await services.apps.release('ada', appId, '2.0.0')).toMatchObject({
        pins: { [toolId]: '1.5.0' },
      })
    },
  )

  verifies(
    ['decision.version.yanked', 'decision.version.yanked_runs'],
    'a yanked version runs on where it is pinned, and drafts of others get the one before it',
    async () => {
      const { agree, app, open, invoke, services, toolId } = await withPlugin('public')
      await services.publishing.publish('ada', toolId, { manifest: weather('Better.') })
      const appId = await app('bob', [toolId])
      const draft = await open('bob', appId)
      expect(await invoke(draft, toolId)).toBe('1.0.1')
      await services.apps.release('bob', appId, '1.0.0')
      await services.publishing.mark('ada', toolId, '1.0.1', { status: 'yanked' })
      await agree(draft)
      expect(await invoke(draft, toolId)).toBe('1.0.0')
      const released = await open('eve', appId, '1.0.0')
      expect(await invoke(released, toolId)).toBe('1.0.1')
      expect(await services.apps.release('bob', appId, '1.0.1')).toMatchObject({
        pins: { [toolId]: '1.0.0' },
      })
    },
  )

  verifies(
    'version.live_record',
    'what another host wrote is called here once copies are stale',
    async () => {
      const { agree, app, open, invoke, list, services, toolId } = await withPlugin('public')
      const [adas, bobs] = [
        await open('ada', await app('ada', [toolId])),
        await open('bob', await app('bob', [toolId])),
      ]
      const both = async () => [await list(adas), await list(bobs), await invoke(bobs, toolId)]
      await both()
      const { publishing } = publishingBed({ clock: services.clock, store: services.store, host: 2 })
      await publishing.publish('ada', toolId, { manifest: weather('Elsewhere.') })
      await services.clock.advance(limits.CACHE_STALE_MS)
      await agree(bobs)
      const elsewhere = expect.stringMatching(/^Elsewhere\. /)
      expect(await both()).toEqual([[elsewhere], [elsewhere], '1.0.1'])
      await publishing.edit('ada', toolId, { visibility: 'private' })
      await services.clock.advance(limits.CACHE_STALE_MS)
      expect(await both()).toEqual([[elsewhere], [], expect.stringMatching(NOT_THERE)])
    },
  )

  verifies(
    ['access.draft.reprojected', 'tools.list.filtered'],
    'a push that declares it, or no more, counts for the next call of an open window',
    async () => {
      const { app, push, open, invoke, list, toolId } = await withPlugin('private')
      const appId = await app('ada', ['weather'])
      const window = await open('ada', appId)
      expect(await invoke(window, toolId)).toMatch(/^permission_denied/)
      await push('ada', appId, [toolId])
      expect(await list(window)).toHaveLength(1)
      expect(await invoke(window, toolId)).toMatch(/^1\.0\.0/)
      await push('ada', appId, ['weather'])
      expect(await list(window)).toEqual([])
      expect(await invoke(window, toolId)).toMatch(/^permission_denied/)
    },
  )

  test('what was read just now is found in copies, so that a call reads nothing more', async () => {
    const { app, open, invoke, services, toolId } = await withPlugin('app_bundled')
    const appId = await app('ada', [toolId])
    await services.apps.release('ada', appId, '1.0.0')
    const window = await open('bob', appId, '1.0.0')
    await invoke(window, toolId)
    const record = await services.copies.windows.get(window.windowUuid)
    const version = record && (await services.copies.versions.get(record.row.version_id))
    const get = vi.spyOn(services.store, 'get')
    const found = await services.plugins.find({ userId: 'bob', version: version?.row ?? null }, toolId)
    expect(found).toMatchObject({ tool_id: toolId })
    expect(get).not.toHaveBeenCalled()
  })

  test('a draft that names a version gets that one, until it is yanked', async () => {
    const { app, open, invoke, services, toolId } = await withPlugin('public')
    await services.publishing.publish('ada', toolId, { manifest: weather('Better.') })
    const plug = { tool_id: toolId, version: '1.0.0' }
    for (const user of ['ada', 'bob']) {
      const draft = await open(user, await app(user, [plug]))
      expect(await invoke(draft, toolId)).toBe('1.0.0')
    }
    const appId = await app('bob', [plug])
    const draft = await open('bob', appId)
    await services.publishing.mark('ada', toolId, '1.0.0', { status: 'yanked' })
    expect(await invoke(draft, toolId)).toMatch(NOT_THERE)
  })

  test('a job goes on with the content that it was accepted with, or with none', async () => {
    const { services, toolId, runners } = await withPlugin('public')
    const seeker = { userId: 'ada', version: null }
    const known = await services.plugins.find(seeker, toolId)
    const job = {
      user_id: 'ada',
      tool_id: toolId,
      plugin_version: known?.spec.version ?? '',
      runner_id: known?.link?.id ?? '',
      app_id: '',
      agreed_once: null,
    }
    const bound = async (change = {}) => (await services.plugins.bound({ ...job, ...change }))?.spec
    expect(await bound()).toEqual(known?.spec)
    // What runs is the same under another text.
    await services.publishing.edit('ada', toolId, { manifest: weather('Edited.') })
    expect(await bound()).toEqual(known?.spec)
    expect(await bound({ plugin_version: '1.0.0' })).toMatchObject({ version: '1.0.0' })
    await services.publishing.edit('ada', toolId, {
      distribution: { type: 'npm', package_name: 'other', version: '1.0.0' },
    })
    expect(await bound()).toBeUndefined()
    expect(await bound({ plugin_version: '1.0.0' })).toMatchObject({ version: '1.0.0' })
    for (const link of runners.online('ada')) runners.cut(link)
    expect((await services.plugins.bound({ ...job, plugin_version: '1.0.0' }))?.link).toBeNull()
    await services.publishing.remove('ada', toolId)
    expect(await bound({ plugin_version: '1.0.0' })).toBeUndefined()
  })

  verifies('plug.reach.hidden', 'a plugin that was removed is there for nobody', async () => {
    const { app, open, invoke, list, services, toolId } = await withPlugin('public')
    const appId = await app('bob', [toolId])
    await services.apps.release('bob', appId, '1.0.0')
    const windows = [await open('bob', appId), await open('eve', appId, '1.0.0')]
    await services.publishing.remove('ada', toolId)
    for (const window of windows) {
      expect(await list(window)).toEqual([])
      expect(await invoke(window, toolId)).toMatch(NOT_THERE)
    }
  })
})
