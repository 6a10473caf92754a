import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { openPluginBed, withPlugin } from '../testing/plugins.ts'
import { handRunner } from '../testing/runners.ts'
import { testManifest, testServices } from '../testing/services.ts'

describe('the plugins that an installed app declares', () => {
  verifies('route.installs.plugs', 'are named, of what is installed and of what is newer', async () => {
    const { app, services, open, publish, push, toolId } = await withPlugin('public')
    const other = await publish('ada', { name: 'Maps', visibility: 'public' })
    const appId = await app('ada', [toolId])
    await services.apps.release('ada', appId, '1.0.0')
    await open('bob', appId, '1.0.0')
    await push('ada', appId, [toolId], { optional_plugs: [{ tool_id: other, handle: 'maps' }, toolId] })
    await services.apps.release('ada', appId, '1.1.0')
    const weather = { tool_id: toolId, kind: 'required', name: 'Weather' }
    const maps = { tool_id: other, kind: 'optional', name: 'Maps' }
    expect(await services.apps.installs('bob')).toMatchObject([
      { plugs: [weather], newer: { plugs: [weather, maps] } },
    ])
  })

  verifies('plug.reach.hidden', 'have no name for who cannot reach them', async () => {
    const { app, services, push, toolId } = await withPlugin('private')
    const appId = await app('bob', [])
    await push('bob', appId, [toolId, `tool-eve-x-${'0'.repeat(26)}`])
    await services.apps.install('bob', { app_id: appId, version: '0.0.0-draft' })
    const [install] = await services.apps.installs('bob')
    expect(install?.plugs.map(({ name }) => name)).toEqual([null, null])
  })

  test('are installed on no machine for that', async () => {
    const { app, services, publish, runners } = openPluginBed()
    const toolId = await publish('ada', { visibility: 'public' })
    const appId = await app('bob', [toolId])
    await services.apps.install('bob', { app_id: appId, version: '0.0.0-draft' })
    const runner = handRunner()
    runners.connect('bob', runner)
    expect(await services.apps.installs('bob')).toMatchObject([{ plugs: [{ name: 'Weather' }] }])
    expect(runner.installs).toEqual([])
  })

  test('are told by the id of the operator’s own where a handle names one, and each once', async () => {
    const services = testServices({ plugins: [{ slug: 'csv', command: ['csv'] }] })
    const tool_id = (await services.plugins.find({ userId: 'ada', version: null }, 'csv'))?.tool_id ?? ''
    const manifest = testManifest({ required_plugs: [{ handle: 'csv' }], optional_plugs: [tool_id] })
    const { app_id } = await services.apps.register('ada', { slug: 'notes', name: 'Notes' })
    await services.apps.pushDraft('ada', app_id, {
      manifest,
      files: new Map([['index.html', Buffer.from('<p>')]]),
    })
    await services.apps.install('ada', { app_id, version: '0.0.0-draft' })
    expect(await services.apps.installs('ada')).toMatchObject([
      { plugs: [{ tool_id, kind: 'required', name: 'csv' }] },
    ])
  })
})
