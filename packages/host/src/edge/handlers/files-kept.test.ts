import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { memoryStore } from '@svc/state'
import { describe, expect } from 'vitest'
import { spaces } from '../../catalog/records.ts'
import { appFiles } from '../../data/app-files/app-file.ts'
import { calls, codeOf, openFiles } from '../../testing/files-host.ts'

describe('whose they are', () => {
  verifies.each('access.files.scope')([
    [{}, 'permission_denied'],
    [{ allowed_scopes: ['other'] }, 'permission_denied'],
    [{ allowed_scopes: ['shared'] }, 'ok'],
  ])('the scope shared with grants %j is %s', async (grants, expected) => {
    const { call } = await openFiles({ grants })
    const at = { path: 'f', scope: 'shared' }
    expect(codeOf(await call('write', { ...at, text: '1' }))).toBe(expected)
    for (const method of ['read', 'stat', 'list', 'delete'])
      expect(codeOf(await call(method, method === 'list' ? { scope: 'shared' } : at))).toBe(expected)
    expect(codeOf(await call('list', { scope: 'other' }))).toBe('invalid_arg')
  })

  verifies('files.owner', 'of an app and user alone, or of all users of the app', async () => {
    const grants = { allowed_scopes: ['shared'] }
    const { services, call } = await openFiles({ grants })
    await call('write', { path: 'f', text: 'mine' })
    expect(await calls(await services.openWindow())('read', { path: 'f' })).toMatchObject({ text: 'mine' })
    await services.host.apps.release('ada', services.appId, '1.0.0')
    const cookie = await services.signIn('bob')
    await services.host.apps.install('bob', { app_id: services.appId, version: '1.0.0', grants })
    const bob = calls(await services.openWindow(undefined, undefined, cookie))
    expect(codeOf(await bob('read', { path: 'f' }))).toBe('not_found')
    expect(codeOf(await bob('read', { path: 'f', scope: 'shared' }))).toBe('not_found')
    await call('write', { path: 'f', text: 'ours', scope: 'shared' })
    expect(await bob('read', { path: 'f', scope: 'shared' })).toMatchObject({ text: 'ours' })
    expect(await call('read', { path: 'f' })).toMatchObject({ text: 'mine' })
  })

  verifies('access.files.scope', 'a grant is needed anew at each call', async () => {
    const { services, call } = await openFiles({ grants: { allowed_scopes: ['shared'] } })
    await call('write', { path: 'f', text: '1', scope: 'shared' })
    await services.host.apps.install('ada', { app_id: services.appId, version: '0.0.0-draft', grants: {} })
    expect(codeOf(await call('read', { path: 'f', scope: 'shared' }))).toBe('permission_denied')
  })
})

describe('bytes', () => {
  verifies(
    'files.dropped',
    'that are overwritten or deleted go at once, and stay for whoever has the same',
    async () => {
      const { call, has } = await openFiles()
      await call('write', { path: 'a', text: 'first' })
      await call('write', { path: 'b', text: 'first' })
      await call('write', { path: 'a', text: 'second' })
      expect([await has('first'), await has('second')]).toEqual([true, true])
      await call('delete', { path: 'b' })
      expect([await has('first'), await has('second')]).toEqual([false, true])
      await call('write', { path: 'a', text: 'second' })
      expect(await call('read', { path: 'a' })).toMatchObject({ text: 'second', generation: 3 })
    },
  )

  verifies('files.forgotten', 'that went leave no record, and no generation is given again', async () => {
    const store = memoryStore()
    const { call } = await openFiles({ store, secret: 's'.repeat(32) })
    for (let at = 0; at < 50; at += 1) {
      await call('write', { path: `f${at}`, text: '1' })
      await call('delete', { path: `f${at}` })
      await call('write', { path: `g${at}`, text: '1', if_match: '"none"' })
    }
    expect((await store.scan(appFiles, 'bySpace', { limit: 100 })).rows).toEqual([])
    expect((await store.scan(spaces, 'byUser', { limit: 100 })).rows).toHaveLength(1)
    const { generation } = await call('write', { path: 'f49', text: '1' })
    expect(generation).toBeGreaterThan(50)
    expect(await call('write', { path: 'f49', text: '2' })).toMatchObject({ generation: generation + 1 })
  })

  verifies('files.uninstalled', 'of an app go when it is uninstalled; shared ones stay', async () => {
    const grants = { allowed_scopes: ['shared'] }
    const { services, clock, call, has } = await openFiles({ grants })
    await call('write', { path: 'f', text: 'mine' })
    await call('write', { path: 'f', text: 'ours', scope: 'shared' })
    const [install] = await services.host.apps.installed('ada')
    await services.host.apps.uninstall('ada', install?.install_id ?? '')
    await clock.advance(limits.CLEAN_INTERVAL_MS)
    expect([await has('mine'), await has('ours')]).toEqual([false, true])
    await services.host.apps.install('ada', { app_id: services.appId, version: '0.0.0-draft', grants })
    const again = calls(await services.openWindow())
    expect(await again('list')).toEqual({ items: [], next_cursor: null })
    expect(await again('write', { path: 'f', text: '1' })).toMatchObject({ generation: 1 })
    expect(await again('read', { path: 'f', scope: 'shared' })).toMatchObject({ text: 'ours' })
  })

  verifies.each('files.caps')([
    ['APP_FILES_PER_SPACE', 2, 'an app may keep at most 2 files in a scope'],
    ['APP_FILES_PER_USER', 2, 'the apps of a user may keep at most 2 files'],
    ['APP_FILES_BYTES_PER_SPACE', 10, 'an app may keep at most 10 bytes of files in a scope'],
    ['APP_FILES_BYTES_PER_USER', 10, 'the apps of a user may keep at most 10 bytes of files'],
  ] as const)('have a cap: %s of %i', async (limit, max, sentence) => {
    const { call, has } = await openFiles({ limits: { [limit]: max } })
    await call('write', { path: 'a', text: '11111' })
    await call('write', { path: 'b', text: '22222' })
    expect(await call('write', { path: 'c', text: '3' })).toBe(`quota_exceeded: ${sentence}`)
    expect(await has('3')).toBe(false)
    expect(await call('write', { path: 'b', text: '44444' })).toMatchObject({ generation: 2 })
    await call('delete', { path: 'a' })
    expect(await call('write', { path: 'c', text: '3' })).toMatchObject({ size_bytes: 1 })
  })
})
