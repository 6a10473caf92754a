import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { openPluginBed } from '../testing/plugins.ts'
import { refusal } from '../testing/services.ts'

describe('what a release refuses to pin', () => {
  const nobody = `tool-eve-x-${'0'.repeat(26)}`
  verifies.each('version.pinned.refused')([
    ['nobody published', async () => [nobody]],
    ['another keeps private', async ({ publish }) => [await publish('ada')]],
    ['another bundles', async ({ publish }) => [await publish('ada', { visibility: 'app_bundled' })]],
    ['has another version', async ({ publish }) => [{ tool_id: await publish('bob'), version: '9.0.0' }]],
    [
      'is declared at two versions',
      async ({ publish }) => {
        const tool_id = await publish('bob')
        return [tool_id, { tool_id, version: '1.0.0' }]
      },
    ],
    [
      'was yanked',
      async ({ publish, services }) => {
        const tool_id = await publish('ada', { visibility: 'public' })
        await services.publishing.mark('ada', tool_id, '1.0.0', { status: 'yanked' })
        return [{ tool_id, version: '1.0.0' }]
      },
    ],
    [
      'has no version left',
      async ({ publish, services }) => {
        const tool_id = await publish('ada', { visibility: 'public' })
        await services.publishing.mark('ada', tool_id, '1.0.0', { status: 'yanked' })
        return [tool_id]
      },
    ],
    [
      'was removed',
      async ({ publish, services }) => {
        const tool_id = await publish('bob')
        await services.publishing.remove('bob', tool_id)
        return [tool_id]
      },
    ],
  ] as [string, (bed: ReturnType<typeof openPluginBed>) => Promise<(string | { tool_id: string })[]>][])(
    'one that %s',
    async (_what, plugsOf) => {
      const bed = openPluginBed()
      const plugs = await plugsOf(bed)
      const appId = await bed.app('bob', plugs)
      const first = plugs[0]
      const said = await refusal(bed.services.apps.release('bob', appId, '1.0.0'))
      expect(said).toMatch(/^invalid_arg: the manifest declares /)
      expect(said).toContain(typeof first === 'string' ? first : first?.tool_id)
      expect(await bed.services.apps.installs('bob')).toEqual([])
    },
  )

  test.each([['weather'], ['tool-local-weather-0123abcd'], [{ handle: 'weather' }]])(
    '%j has no versions and is not pinned',
    async (plug) => {
      const { app, services } = openPluginBed()
      const appId = await app('bob', [plug])
      expect(await services.apps.release('bob', appId, '1.0.0', true)).toMatchObject({ pins: {} })
    },
  )

  test('the plugin of an author whose name is local is one like others', async () => {
    const { app, services, publish } = openPluginBed()
    const toolId = await publish('local')
    expect(toolId).toMatch(/^tool-local-weather-/)
    const appId = await app('local', [toolId])
    expect(await services.apps.release('local', appId, '1.0.0')).toMatchObject({
      pins: { [toolId]: '1.0.0' },
    })
  })

  test('of two releases at once that freeze the first version both pin it', async () => {
    const { app, services, publish } = openPluginBed()
    const toolId = await publish('ada')
    const appId = await app('ada', [toolId])
    const both = ['1.0.0', '2.0.0'].map((version) => services.apps.release('ada', appId, version))
    expect((await Promise.all(both)).map(({ pins }) => pins)).toEqual([
      { [toolId]: '1.0.0' },
      { [toolId]: '1.0.0' },
    ])
    expect(await services.publishing.versions('ada', toolId)).toHaveLength(1)
  })
})
