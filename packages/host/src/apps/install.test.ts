import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { DRAFT_VERSION } from '../catalog/records.ts'
import { push } from '../testing/apps.ts'
import { installedDraft, refusal, testHouse, testManifest } from '../testing/house.ts'

describe('install', () => {
  verifies('route.installs.draft', 'a draft is for its owner, a release for anyone', async () => {
    const house = testHouse()
    const { app_id } = await installedDraft(house)
    const draft = house.apps.install('bob', { app_id, version: DRAFT_VERSION })
    const missing = house.apps.install('bob', { app_id, version: '9.9.9' })
    const says = (version: string) =>
      `not_found: there is no version "${version}" of the app "${app_id}" for this user`
    expect(await refusal(draft)).toBe(says(DRAFT_VERSION))
    expect(await refusal(missing)).toBe(says('9.9.9'))
    await house.apps.release('ada', app_id, '1.0.0')
    await expect(house.apps.install('bob', { app_id, version: '1.0.0' })).resolves.toBeDefined()
  })

  verifies(
    ['route.installs.one', 'access.grants.install_only'],
    'a later install replaces version and grants of the one before',
    async () => {
      const house = testHouse()
      const { app_id, install_id } = await installedDraft(house)
      await house.apps.release('ada', app_id, '1.0.0')
      const again = await house.apps.install('ada', { app_id, version: '1.0.0', grants: { web_grant: true } })
      expect(again).toEqual({ install_id })
      expect(await house.apps.installed('ada')).toMatchObject([
        { version: '1.0.0', grants: { web_grant: true } },
      ])
      expect((await house.apps.installOf('ada', app_id))?.row.grants).toEqual({ web_grant: true })
      await push(house, app_id, testManifest({ host_api: { image: ['*'] } }))
      expect((await house.apps.installOf('ada', app_id))?.row.grants).toEqual({ web_grant: true })
    },
  )

  test('installs at once leave one', async () => {
    const house = testHouse()
    const { app_id } = await installedDraft(house)
    await house.apps.release('ada', app_id, '1.0.0')
    const all = await Promise.all(
      Array.from({ length: 8 }, () => house.apps.install('bob', { app_id, version: '1.0.0' })),
    )
    expect(new Set(all.map(({ install_id }) => install_id)).size).toBe(1)
    expect(await house.apps.installed('bob')).toHaveLength(1)
  })

  test.each([
    [{ web_grant: 'yes' }, 'invalid_arg: grants.web_grant must be a boolean, got "yes"'],
    ['all', 'invalid_arg: grants must be an object, got "all"'],
    [null, 'invalid_arg: grants must be an object, got null'],
  ])('grants %j are refused', async (grants, says) => {
    const house = testHouse()
    const { app_id } = await installedDraft(house)
    expect(await refusal(house.apps.install('ada', { app_id, version: DRAFT_VERSION, grants }))).toBe(says)
  })

  verifies('route.installs', 'lists what a page needs', async () => {
    const house = testHouse()
    const { app_id, install_id, version_id } = await installedDraft(house)
    expect(await house.apps.installed('ada')).toEqual([
      {
        install_id,
        app_id,
        slug: 'notes',
        name: 'Notes',
        version: DRAFT_VERSION,
        version_id,
        grants: {},
        views: [{ name: 'main', title: 'All notes', default: true }, { name: 'editor' }],
        created_at: '2026-01-01T00:00:00.000Z',
      },
    ])
    expect(await house.apps.installed('bob')).toEqual([])
  })

  test('uninstalling closes the windows; a foreign install is not there', async () => {
    const house = testHouse()
    const { app_id, install_id } = await installedDraft(house)
    await house.windows.open('ada', { app_id })
    expect(await refusal(house.apps.uninstall('bob', install_id))).toMatch(/^not_found/)
    await house.apps.uninstall('ada', install_id)
    expect(house.emittedOf('close_view')).toMatchObject([{ payload: { reason: 'uninstalled' } }])
    expect(await house.apps.installed('ada')).toEqual([])
    expect(await house.apps.installOf('ada', app_id)).toBeNull()
    expect(await refusal(house.apps.uninstall('ada', install_id))).toMatch(/^not_found/)
  })
})
