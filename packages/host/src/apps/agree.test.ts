import { verifies } from '@svc/conformance/verifies'
import type { Grants } from '@svc/contract'
import { describe, expect } from 'vitest'
import { installId, installs } from '../catalog/records.ts'
import { windows } from '../catalog/window-row.ts'
import { plugOf, refusalOf, type Scene, scene } from '../testing/consent.ts'
import { weather } from '../testing/publishing.ts'

const grantsOf = async ({ services }: Scene): Promise<Grants | undefined> =>
  (await services.apps.installs('ada'))[0]?.grants
const answer = async (
  at: Scene,
  windowUuid: string,
  said: 'once' | 'always' | 'never',
  toolId = at.toolId,
  user = 'ada',
) => at.services.apps.agree(user, windowUuid, { tool_id: toolId, version: '1.0.0', answer: said })

/** Eve's app with two plugins of hers. */
async function twoPlugins() {
  const at = await scene()
  const other = await at.publish('eve', { visibility: 'public' })
  const appId = await at.app('eve', [], { optional_plugs: [at.toolId, other] })
  await at.services.apps.release('eve', appId, '1.0.0')
  const openAs = (grants: Grants = {}, user = 'ada') => at.openWith(user, appId, grants, '1.0.0')
  const terms = (...ids: string[]) =>
    ids.map((tool_id) => ({ tool_id, version: '1.0.0', digest: expect.any(String) }))
  return { ...at, other, appId, openAs, terms }
}

describe('what a user says of a plugin', () => {
  verifies('wall.consent', 'takes the place of what was said of it, and of no other', async () => {
    const at = await twoPlugins()
    const { windowUuid } = await at.openAs()
    await answer(at, windowUuid, 'always')
    await answer(at, windowUuid, 'always', at.other)
    await answer(at, windowUuid, 'always')
    expect(await grantsOf(at)).toEqual({ plugs: at.terms(at.other, at.toolId) })
    await answer(at, windowUuid, 'never')
    expect(await grantsOf(at)).toEqual({ plugs: at.terms(at.other), plugs_never: [at.toolId] })
    await answer(at, windowUuid, 'never', at.other)
    expect(await grantsOf(at)).toEqual({ plugs_never: [at.toolId, at.other] })
    await answer(at, windowUuid, 'always', at.other)
    expect(await grantsOf(at)).toEqual({ plugs: at.terms(at.other), plugs_never: [at.toolId] })
    await answer(at, windowUuid, 'once')
    expect(await grantsOf(at)).toEqual({ plugs: at.terms(at.other) })
  })

  verifies('wall.consent', 'once, is kept for that window alone', async () => {
    const at = await twoPlugins()
    const { windowUuid } = await at.openAs()
    const agreed = async () => (await at.services.store.get(windows, windowUuid))?.row.agreed
    await answer(at, windowUuid, 'once')
    await answer(at, windowUuid, 'once', at.other)
    await answer(at, windowUuid, 'once')
    expect(await agreed()).toEqual([expect.any(String), expect.any(String)])
    expect(await grantsOf(at)).toEqual({})
    await answer(at, windowUuid, 'always')
    expect(await agreed()).toHaveLength(2)
  })

  verifies('wall.consent.own', 'is not kept of a plugin of the own', async () => {
    const at = await twoPlugins()
    const app = await at.openAs({ plugs: [plugOf(at)] }, 'eve')
    expect((await at.services.apps.installs('eve'))[0]?.grants).toEqual({})
    await answer(at, app.windowUuid, 'never', at.toolId, 'eve')
    await at.services.clock.advance(0)
    expect((await at.services.apps.installs('eve'))[0]?.grants).toEqual({})
  })

  verifies('wall.consent', 'is not found where the app was uninstalled meanwhile', async () => {
    const at = await twoPlugins()
    const { windowUuid } = await at.openAs()
    const id = installId('ada', at.appId)
    const install = await at.services.store.get(installs, id)
    await at.services.store.remove(installs, id, install?.revision ?? 0)
    expect(await refusalOf(answer(at, windowUuid, 'always'))).toMatchObject({ code: 'not_found' })
  })

  verifies('wall.consent.told', 'is told to no window of another app', async () => {
    const at = await twoPlugins()
    await at.openWith('ada', await at.app('ada', []), {})
    const { windowUuid } = await at.openAs()
    await at.told()
    await answer(at, windowUuid, 'always')
    expect(await at.told()).toEqual([windowUuid])
  })
})

describe('what an install is given', () => {
  verifies('wall.consent.terms', 'names the plugin that is not declared, and where it stands', async () => {
    const at = await twoPlugins()
    const tool_id = `tool-eve-x-${'0'.repeat(26)}`
    expect(await refusalOf(at.openAs({ plugs: [{ tool_id, version: '1.0.0' }] }))).toMatchObject({
      code: 'invalid_arg',
      message: expect.stringContaining(`declares no plugin "${tool_id}"`),
      details: { path: 'grants.plugs' },
    })
  })

  verifies(
    'wall.consent.again',
    'keeps what was agreed before, word for word and of each plugin',
    async () => {
      const at = await twoPlugins()
      await at.openAs({
        plugs: [plugOf(at), { tool_id: at.other, version: '1.0.0' }],
        plugs_never: ['tool-none'],
      })
      const before = (await grantsOf(at)) ?? {}
      expect(before).toEqual({ plugs: at.terms(at.toolId, at.other) })
      // Its author changes it: what was agreed stands, and what is new is held to what it is now.
      await at.services.publishing.publish('eve', at.other, { manifest: weather('Better.') })
      await at.services.apps.release('eve', at.appId, '1.1.0')
      await at.openWith('ada', at.appId, before, '1.1.0')
      expect(await grantsOf(at)).toEqual(before)
      const [mine, theirs] = before.plugs ?? []
      if (!mine || !theirs) throw new Error('nothing was agreed to')
      const swapped = { plugs: [{ ...mine, digest: theirs.digest }] }
      expect(await refusalOf(at.openAs(swapped as Grants))).toMatchObject({ code: 'conflict' })
    },
  )

  verifies('wall.consent', 'is never twice the same, and of declared plugins alone', async () => {
    const at = await twoPlugins()
    await at.openAs({ plugs_never: [at.toolId, at.toolId, 'tool-none'] })
    expect(await grantsOf(at)).toEqual({ plugs_never: [at.toolId] })
    await at.openAs({ plugs_never: ['tool-none'] })
    expect(await grantsOf(at)).toEqual({})
  })
})
