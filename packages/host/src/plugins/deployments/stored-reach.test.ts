import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import type { Collection } from '@svc/state'
import { describe, expect } from 'vitest'
import { type Content, plugs, snapshotId, snapshots } from '../../catalog/plug-row.ts'
import { openPluginBed } from '../../testing/plugins.ts'
import { describes, handRunner } from '../../testing/runners.ts'
import { listTools } from './entries.ts'

/** Ada's public plugin, whose rows hold this reach in place of what she published; whatever is installed is in `came`. */
async function withStored(reach: unknown) {
  const came: string[] = []
  const bed = openPluginBed()
  for (const user of ['ada', 'bob']) {
    const install = () => {
      came.push(user)
      return { ok: true } as const
    }
    bed.runners.connect(user, handRunner({ install, describe: () => describes('forecast') }))
  }
  const toolId = await bed.publish('ada', { visibility: 'public' })
  const { clock, store } = bed.services
  const damage = async <Row extends Content>(rows: Collection<Row>, id: string) => {
    const record = await store.get(rows, id)
    if (!record) throw new Error(`there is no ${id}`)
    const manifest = { ...record.row.manifest, reach } as Content['manifest']
    await store.swap(rows, id, record.revision, { ...record.row, manifest })
  }
  await damage(plugs, toolId)
  await damage(snapshots, snapshotId(toolId, 1))
  await clock.advance(limits.CACHE_STALE_MS)
  came.length = 0
  return { ...bed, toolId, came }
}

describe('a plugin whose stored reach is not one', () => {
  const wrong: readonly [reach: unknown, sentence: string][] = [
    [{ folders: [{ path: '//', access: 'write' }] }, 'folders.0.path must not hold the folders . or ..'],
    [
      { folders: [{ path: '/etc', access: 'read' }], hosts: ['a.example'] },
      'folders.0.path must be a folder of data',
    ],
    [{ hosts: 'a.example' }, 'hosts must be an array'],
    [{ hosts: [null] }, 'hosts.0 must be a string'],
    [{ host: ['a.example'] }, 'must not have the key "host"'],
    ['all', 'must be an object'],
    [null, 'must be an object'],
  ]
  verifies.each('plug.reach.stored')(
    wrong.flatMap(([reach, sentence]) => ['ada', 'bob'].map((user) => [reach, user, sentence] as const)),
  )('%j does not run for %s, nor is it asked about: %s', async (reach, user, sentence) => {
    const { app, context, services, invoke, openWith, came, toolId } = await withStored(reach)
    const appId = await app(user, [toolId])
    const window = await openWith(user, appId, {})
    const problem = expect.stringContaining(sentence)
    expect(await invoke(window, toolId)).toMatch(/^plug_unavailable: the plugin .* cannot be started: /)
    expect(await invoke(window, toolId)).toEqual(problem)
    expect(await listTools(services, await context(window))).toMatchObject([
      { status: 'unavailable', reason: problem },
    ])
    expect(await services.publishing.visible(user, { limit: 20 })).toMatchObject({
      plugs: [{ tool_id: toolId, status: 'unavailable', problem }],
    })
    expect(services.emittedOf('plug_asked')).toEqual([])
    expect(await services.apps.installs(user)).toMatchObject([{ asks: {} }])
    await services.clock.advance(0)
    services.plugins.sweep()
    expect(came).toEqual([])
  })

  verifies('plug.reach.stored', 'is not agreed to, and is listed among those of its owner', async () => {
    const { app, openWith, services, toolId } = await withStored('all')
    const appId = await app('bob', [toolId])
    const agreed = { tool_id: toolId, version: '1.0.0' }
    await expect(openWith('bob', appId, { plugs: [agreed] })).rejects.toThrow(/no plugin .* can reach/)
    const own = await services.plugins.of({ userId: 'ada', version: null })
    expect(own).toMatchObject([{ tool_id: toolId, status: 'unavailable', link: null }])
  })
})
