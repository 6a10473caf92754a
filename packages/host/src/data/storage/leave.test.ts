import { openTestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { memoryStore } from '@svc/state'
import { expect } from 'vitest'
import { items } from '../../catalog/records.ts'

verifies(
  ['storage.uninstalled', 'kept.storage.shared'],
  'the values of a user in an app go when it is uninstalled; shared ones and those of others stay until it is deleted',
  async () => {
    const grants = { allowed_scopes: ['shared'] }
    const store = memoryStore()
    const services = await openTestHost({
      store,
      secret: 's'.repeat(32),
      manifest: { host_api: { storage: ['*'] } },
      grants,
      storage: 'persistent',
    })
    const { apps } = services.host
    const install = (user: string, version: string) =>
      apps.install(user, { app_id: services.appId, version, grants })
    const window = await services.openWindow()
    for (let at = 0; at < 120; at += 1)
      await window.call('storage', 'set', { key: `k${at}`, value: 'private' })
    await window.call('storage', 'set', { key: 'all', value: 'ours', scope: 'shared' })
    const { version } = await apps.release('ada', services.appId, '1.0.0')
    await install('bob', version)
    const bob = await services.openWindow(undefined, undefined, await services.signIn('bob'))
    await bob.call('storage', 'set', { key: 'k0', value: 'of bob' })
    const [installed] = await apps.installed('ada')
    await apps.uninstall('ada', installed?.install_id ?? '')
    await install('ada', version)
    const again = await services.openWindow()
    expect(await again.call('storage', 'list')).toMatchObject({ result: { items: [] } })
    expect(await again.call('storage', 'get', { key: 'k0' })).toMatchObject({ error: { code: 'not_found' } })
    expect(await again.call('storage', 'get', { key: 'all', scope: 'shared' })).toMatchObject({
      result: { value: 'ours' },
    })
    expect(await bob.call('storage', 'get', { key: 'k0' })).toMatchObject({ result: { value: 'of bob' } })
    await apps.remove('ada', services.appId)
    expect((await store.scan(items, 'live', { limit: 1 })).rows).toEqual([])
    await services.close()
  },
)
