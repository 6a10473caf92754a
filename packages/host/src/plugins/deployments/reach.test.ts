import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { NOT_THERE, openPluginBed, withPlugin } from '../../testing/plugins.ts'
import { skill } from '../../testing/publishing.ts'
import { readyRunner } from '../../testing/runners.ts'

describe('who reaches a published plugin', () => {
  verifies.each(['plug.reach', 'plug.reach.hidden'])([
    // [visibility, who made the app, who uses it] → whether the plugin is there.
    ['private', 'ada', 'ada', true],
    ['private', 'ada', 'bob', false],
    ['private', 'bob', 'ada', true],
    ['private', 'bob', 'bob', false],
    ['app_bundled', 'ada', 'bob', true],
    ['app_bundled', 'bob', 'bob', false],
    ['app_bundled', 'bob', 'ada', true],
    ['public', 'ada', 'bob', true],
    ['public', 'bob', 'bob', true],
    ['public', 'bob', 'ada', true],
  ] as const)('%s, in an app of %s, for %s: %s', async (visibility, author, user, isThere) => {
    const bed = await withPlugin(visibility)
    const { app, open, invoke, list, push, services, toolId } = bed
    const appId = await app(author, [])
    if (author !== user) {
      // Others have an app only as a release; this one is as old as its plug, whatever its author reaches now.
      await push(author, appId, [toolId])
      await services.publishing.edit('ada', toolId, { visibility: 'public' })
      await services.apps.release(author, appId, '1.0.0')
      await services.publishing.edit('ada', toolId, { visibility })
    } else await push(author, appId, [toolId])
    const window = await open(user, appId, author === user ? '0.0.0-draft' : '1.0.0')
    expect(await list(window)).toEqual(
      isThere ? [expect.stringMatching(/^The weather\. (deploying|available)$/)] : [],
    )
    const answer = await invoke(window, toolId)
    if (isThere) expect(answer).toMatch(/^1\.0\.0/)
    else {
      expect(answer).toMatch(NOT_THERE)
      // Word for word what is said of an id that nobody has.
      const nobody = `tool-eve-x-${'0'.repeat(26)}`
      const other = await app(user, [nobody])
      const absent = await invoke(await open(user, other), nobody)
      expect(answer.replace(toolId, nobody)).toBe(absent)
    }
  })

  test('a user reaches the own plugins on a page of its own, and no others', async () => {
    const { services, toolId } = await withPlugin('public')
    const of = (userId: string) => services.plugins.of({ userId, version: null })
    expect((await of('ada')).map(({ tool_id }) => tool_id)).toEqual([toolId])
    expect(await of('bob')).toEqual([])
    expect(await services.plugins.find({ userId: 'bob', version: null }, toolId)).toBeUndefined()
  })

  test('an app that does not declare it is refused, whoever owns it', async () => {
    const { app, open, invoke, toolId } = await withPlugin('public')
    const window = await open('ada', await app('ada', ['tool-ada-other-1']))
    expect(await invoke(window, toolId)).toMatch(/^permission_denied/)
  })

  test('a plug with a handle is called by both names', async () => {
    const { app, open, invoke, toolId } = await withPlugin('private')
    const plug = { tool_id: toolId, handle: 'sky' }
    const change = {
      ui: {
        bundle: { entry: 'index.html' },
        views: [{ name: 'main' }],
        host_api: { tools: ['bundled:sky'] },
      },
    }
    const window = await open('ada', await app('ada', [plug], change))
    expect(await invoke(window, 'sky')).toMatch(/^1\.0\.0/)
    expect(await invoke(window, toolId)).toMatch(/^1\.0\.0/)
  })
})

verifies('plug.skill.not_called', 'a skill is not listed, and who calls it is told what it is', async () => {
  const { app, open, invoke, list, publish, services } = await withPlugin('private')
  const body = { type: 'skill', distribution: undefined, ...skill, visibility: 'public' }
  const toolId = await publish('ada', body)
  const window = await open('bob', await app('bob', [toolId]))
  expect(await list(window)).toEqual([])
  expect(await invoke(window, toolId)).toMatch(/^invalid_arg: .* is a skill/)
  expect(await services.publishing.visible('bob', { limit: 20 })).toMatchObject({
    plugs: [{ tool_id: toolId, status: null }],
  })
  const hidden = await publish('ada', { ...body, visibility: 'private' })
  expect(await invoke(await open('bob', await app('bob', [hidden])), hidden)).toMatch(NOT_THERE)
})

verifies(
  ['plug.reach.hidden', 'error.agent_unavailable'],
  'a runner that was revoked has nothing',
  async () => {
    const nobody = `tool-eve-x-${'0'.repeat(26)}`
    const bed = openPluginBed()
    const link = bed.runners.connect('ada', readyRunner('forecast'))
    const toolId = await bed.publish('ada')
    const window = await bed.open('ada', await bed.app('ada', [toolId]))
    expect(await bed.invoke(window, toolId)).toMatch(/^1\.0\.0/)
    bed.runners.cut(link)
    const none = await bed.invoke(await bed.open('ada', await bed.app('ada', [nobody])), nobody)
    expect((await bed.invoke(window, toolId)).replace(toolId, nobody)).toBe(none)
    expect(await bed.list(window)).toEqual(['The weather. unavailable'])
  },
)
