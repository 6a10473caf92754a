import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { DRAFT_VERSION } from '../catalog/records.ts'
import { push } from '../testing/apps.ts'
import { installedDraft, refusal, testManifest, testServices } from '../testing/services.ts'

describe('install', () => {
  verifies('route.installs.draft', 'a draft is for its owner, a release for anyone', async () => {
    const services = testServices()
    const { app_id } = await installedDraft(services)
    const draft = services.apps.install('bob', { app_id, version: DRAFT_VERSION })
    const missing = services.apps.install('bob', { app_id, version: '9.9.9' })
    const says = (version: string) =>
      `not_found: there is no version "${version}" of the app "${app_id}" for this user`
    expect(await refusal(draft)).toBe(says(DRAFT_VERSION))
    expect(await refusal(missing)).toBe(says('9.9.9'))
    await services.apps.release('ada', app_id, '1.0.0')
    await expect(services.apps.install('bob', { app_id, version: '1.0.0' })).resolves.toBeDefined()
  })

  verifies(
    ['route.installs.one', 'access.grants.install_only'],
    'a later install replaces version and grants of the one before',
    async () => {
      const services = testServices()
      const { app_id, install_id } = await installedDraft(services)
      await services.apps.release('ada', app_id, '1.0.0')
      const again = await services.apps.install('ada', {
        app_id,
        version: '1.0.0',
        grants: { web_grant: true },
      })
      expect(again).toEqual({ install_id })
      expect(await services.apps.installed('ada')).toMatchObject([
        { version: '1.0.0', grants: { web_grant: true } },
      ])
      expect((await services.apps.installOf('ada', app_id))?.row.grants).toEqual({ web_grant: true })
      await push(services, app_id, testManifest({ host_api: { image: ['*'] } }))
      expect((await services.apps.installOf('ada', app_id))?.row.grants).toEqual({ web_grant: true })
    },
  )

  test('installs at once leave one', async () => {
    const services = testServices()
    const { app_id } = await installedDraft(services)
    await services.apps.release('ada', app_id, '1.0.0')
    const all = await Promise.all(
      Array.from({ length: 8 }, () => services.apps.install('bob', { app_id, version: '1.0.0' })),
    )
    expect(new Set(all.map(({ install_id }) => install_id)).size).toBe(1)
    expect(await services.apps.installed('bob')).toHaveLength(1)
  })

  test.each([
    [{ web_grant: 'yes' }, 'invalid_arg: grants.web_grant must be a boolean, got "yes"'],
    ['all', 'invalid_arg: grants must be an object, got "all"'],
    [null, 'invalid_arg: grants must be an object, got null'],
  ])('grants %j are refused', async (grants, says) => {
    const services = testServices()
    const { app_id } = await installedDraft(services)
    expect(await refusal(services.apps.install('ada', { app_id, version: DRAFT_VERSION, grants }))).toBe(says)
  })

  verifies('route.installs', 'lists what a page needs', async () => {
    const services = testServices()
    const { app_id, install_id, version_id } = await installedDraft(services)
    expect(await services.apps.installed('ada')).toEqual([
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
    expect(await services.apps.installed('bob')).toEqual([])
  })

  test('uninstalling closes the windows; a foreign install is not there', async () => {
    const services = testServices()
    const { app_id, install_id } = await installedDraft(services)
    await services.windows.open('ada', { app_id })
    expect(await refusal(services.apps.uninstall('bob', install_id))).toMatch(/^not_found/)
    await services.apps.uninstall('ada', install_id)
    expect(services.emittedOf('close_view')).toMatchObject([{ payload: { reason: 'uninstalled' } }])
    expect(await services.apps.installed('ada')).toEqual([])
    expect(await services.apps.installOf('ada', app_id)).toBeNull()
    expect(await refusal(services.apps.uninstall('ada', install_id))).toMatch(/^not_found/)
  })
})
