import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { push } from '../testing/apps.ts'
import { installedDraft, testManifest, testServices } from '../testing/services.ts'

const asking = (...namespaces: string[]) =>
  testManifest({ host_api: Object.fromEntries(namespaces.map((ns) => [ns, ['*']])) })

describe('what an update would change', () => {
  verifies(
    'route.installs.asks',
    'each install tells its grants, what it asks for, and what is newer',
    async () => {
      const services = testServices()
      const { app_id } = await installedDraft(services, asking('image'))
      await services.apps.release('ada', app_id, '1.0.0')
      await services.apps.install('bob', { app_id, version: '1.0.0', grants: { image_grant: true } })
      const installs = () => services.apps.installs('bob')
      const first = { grants: { image_grant: true }, asks: { image_grant: true }, newer: null }
      expect(await installs()).toMatchObject([first])
      await push(services, app_id, asking('image', 'web'))
      expect(await installs()).toMatchObject([first])
      await services.apps.release('ada', app_id, '1.1.0')
      const newer = { version: '1.1.0', asks: { image_grant: true, web_grant: true } }
      expect(await installs()).toMatchObject([{ ...first, newer }])
      await services.apps.install('bob', { app_id, version: '1.1.0', grants: { image_grant: true } })
      expect(await installs()).toMatchObject([
        { grants: { image_grant: true }, asks: newer.asks, newer: null },
      ])
      // The working draft comes before every release, and is not an install to update.
      expect(await services.apps.installs('ada')).toMatchObject([
        { version: '0.0.0-draft', newer: null, latest_release: '1.1.0' },
      ])
    },
  )

  test.each([
    [['1.0.0', '2.0.0', '1.5.0'], '1.0.0', '2.0.0'],
    [['1.9.0', '1.10.0'], '1.9.0', '1.10.0'],
    [['1.0.0', '1.0.0-rc.1'], '1.0.0', null],
    [['1.0.0-rc.1', '1.0.0'], '1.0.0-rc.1', '1.0.0'],
    [['1.0.0', '2.0.0-rc.1'], '1.0.0', '2.0.0-rc.1'],
    [['1.0.0', '1.0.0+build.2'], '1.0.0', null],
  ])('of the releases %j, to who has %s the newer one is %s', async (releases, has, newest) => {
    const services = testServices()
    const { app_id } = await installedDraft(services)
    for (const version of releases) await services.apps.release('ada', app_id, version)
    await services.apps.install('bob', { app_id, version: has })
    const [install] = await services.apps.installs('bob')
    expect(install?.newer?.version ?? null).toBe(newest)
  })
})
