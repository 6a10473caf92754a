import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { versions } from '../catalog/records.ts'
import { push, register } from '../testing/apps.ts'
import { installedDraft, refusal, testManifest, testServices } from '../testing/services.ts'

describe('release', () => {
  verifies('route.release', 'freezes the draft under a version of its own', async () => {
    const services = testServices()
    const { app_id, version_id, digest } = await installedDraft(services)
    const released = await services.apps.release('ada', app_id, '1.0.0')
    expect(released).toEqual({ version_id: expect.stringMatching(/^ver_/), version: '1.0.0', pins: {} })
    expect(released.version_id).not.toBe(version_id)
    await push(services, app_id, testManifest({ name: 'Later' }))
    expect((await services.store.get(versions, released.version_id))?.row).toMatchObject({
      digest,
      version: '1.0.0',
      manifest: { name: 'Notes' },
    })
    expect(await refusal(services.apps.release('ada', app_id, '1.0.0'))).toMatch(
      /^conflict: the version 1.0.0/,
    )
  })

  test('of two releases of one version at once one wins', async () => {
    const services = testServices()
    const { app_id } = await installedDraft(services)
    const both = await Promise.allSettled([1, 2].map(() => services.apps.release('ada', app_id, '1.0.0')))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test.each(['0.0.1', '1.2.3-rc.1', '1.0.0+build.5', '10.20.30-alpha-1.x+y'])(
    '%s is a version',
    async (version) => {
      const services = testServices()
      const { app_id } = await installedDraft(services)
      await expect(services.apps.release('ada', app_id, version)).resolves.toMatchObject({ version })
    },
  )

  test.each([
    '',
    '1',
    '1.0',
    'v1.0.0',
    '01.0.0',
    '1.0.0-',
    '1.0.0-01',
    '1.0.0+',
    ' 1.0.0',
    '1.0.0\n',
    '0.0.0-draft',
    `1.0.0-${'a'.repeat(60)}`,
  ])('%j is none', async (version) => {
    const services = testServices()
    const { app_id } = await installedDraft(services)
    expect(await refusal(services.apps.release('ada', app_id, version))).toMatch(/^invalid_arg: version must/)
  })

  test('without a draft or its entry file it is bundle_not_ready', async () => {
    const services = testServices()
    const app_id = await register(services)
    expect(await refusal(services.apps.release('ada', app_id, '1.0.0'))).toMatch(/^bundle_not_ready/)
    await push(services, app_id, testManifest(), new Map())
    expect(await refusal(services.apps.release('ada', app_id, '1.0.0'))).toMatch(/^bundle_not_ready/)
  })
})
