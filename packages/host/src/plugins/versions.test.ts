import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { describe, expect, test } from 'vitest'
import { publishingRoom, skill, weather } from '../publishing/publishing-for-tests.ts'
import { openPluginRoom } from './plugin-room-for-tests.ts'
import { readyRunner } from './runners-for-tests.ts'

/** Ada's plugin, with ada's and bob's runners ready. */
async function withPlugin(visibility: string) {
  const room = openPluginRoom()
  for (const user of ['ada', 'bob', 'eve']) room.runners.connect(user, readyRunner('forecast'))
  const toolId = await room.publish('ada', { visibility })
  return { ...room, toolId }
}

const NOT_THERE = /^agent_unavailable: no runner of this user has the plugin/

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
  ])('%s, in an app of %s, for %s: %s', async (visibility, author, user, isThere) => {
    const room = await withPlugin(visibility)
    const { app, open, invoke, list, push, house, toolId } = room
    const appId = await app(author, [])
    if (author !== user) {
      // Others have an app only as a release; this one is as old as its plug, whatever its author reaches now.
      await push(author, appId, [toolId])
      await house.publishing.edit('ada', toolId, { visibility: 'public' })
      await house.apps.release(author, appId, '1.0.0')
      await house.publishing.edit('ada', toolId, { visibility })
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
    const { house, toolId } = await withPlugin('public')
    const of = (userId: string) => house.plugins.of({ userId, version: null })
    expect((await of('ada')).map(({ tool_id }) => tool_id)).toEqual([toolId])
    expect(await of('bob')).toEqual([])
    expect(await house.plugins.find({ userId: 'bob', version: null }, toolId)).toBeUndefined()
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

describe('which version is called', () => {
  verifies(
    ['version.pinned', 'version.live_record', 'plug.live.redeployed'],
    'a release keeps what it pinned; a draft has the live record of the own plugin',
    async () => {
      const { app, open, invoke, list, house, toolId } = await withPlugin('private')
      const appId = await app('ada', [toolId])
      expect(await house.apps.release('ada', appId, '1.0.0')).toMatchObject({ pins: { [toolId]: '1.0.0' } })
      const released = await open('ada', appId, '1.0.0')
      await house.publishing.edit('ada', toolId, { manifest: weather('Edited.', '1.5.0') })
      expect(await invoke(released, toolId)).toBe('1.0.0')
      expect(await list(released)).toEqual(['The weather. available'])
      await house.publishing.publish('ada', toolId, {})
      expect(await invoke(released, toolId)).toBe('1.0.0')
      const draft = await open('ada', appId)
      expect(await list(draft)).toEqual([expect.stringMatching(/^Edited\. /)])
      expect(await invoke(draft, toolId)).toMatch(/^1\.5\.0\+live\./)
      expect(await house.apps.release('ada', appId, '2.0.0')).toMatchObject({ pins: { [toolId]: '1.5.0' } })
    },
  )

  verifies(
    ['decision.version.yanked', 'decision.version.yanked_runs'],
    'a yanked version runs on where it is pinned, and drafts of others get the one before it',
    async () => {
      const { app, open, invoke, house, toolId } = await withPlugin('public')
      await house.publishing.publish('ada', toolId, { manifest: weather('Better.') })
      const appId = await app('bob', [toolId])
      const draft = await open('bob', appId)
      expect(await invoke(draft, toolId)).toBe('1.0.1')
      await house.apps.release('bob', appId, '1.0.0')
      await house.publishing.mark('ada', toolId, '1.0.1', { status: 'yanked' })
      expect(await invoke(draft, toolId)).toBe('1.0.0')
      const released = await open('eve', appId, '1.0.0')
      expect(await invoke(released, toolId)).toBe('1.0.1')
      expect(await house.apps.release('bob', appId, '1.0.1')).toMatchObject({ pins: { [toolId]: '1.0.0' } })
    },
  )

  verifies(
    'version.live_record',
    'what another host wrote is called here once copies are stale',
    async () => {
      const { app, open, invoke, list, house, toolId } = await withPlugin('public')
      const [adas, bobs] = [
        await open('ada', await app('ada', [toolId])),
        await open('bob', await app('bob', [toolId])),
      ]
      const both = async () => [await list(adas), await list(bobs), await invoke(bobs, toolId)]
      await both()
      const { publishing } = publishingRoom({ clock: house.clock, store: house.store, host: 2 })
      await publishing.publish('ada', toolId, { manifest: weather('Elsewhere.') })
      await house.clock.advance(limits.CACHE_STALE_MS)
      const elsewhere = expect.stringMatching(/^Elsewhere\. /)
      expect(await both()).toEqual([[elsewhere], [elsewhere], '1.0.1'])
      await publishing.edit('ada', toolId, { visibility: 'private' })
      await house.clock.advance(limits.CACHE_STALE_MS)
      expect(await both()).toEqual([[elsewhere], [], expect.stringMatching(NOT_THERE)])
    },
  )

  test('a draft that names a version gets that one, until it is yanked', async () => {
    const { app, open, invoke, house, toolId } = await withPlugin('public')
    await house.publishing.publish('ada', toolId, { manifest: weather('Better.') })
    const plug = { tool_id: toolId, version: '1.0.0' }
    for (const user of ['ada', 'bob']) {
      const draft = await open(user, await app(user, [plug]))
      expect(await invoke(draft, toolId)).toBe('1.0.0')
    }
    const appId = await app('bob', [plug])
    const draft = await open('bob', appId)
    await house.publishing.mark('ada', toolId, '1.0.0', { status: 'yanked' })
    expect(await invoke(draft, toolId)).toMatch(NOT_THERE)
  })

  test('a job goes on with the content that it was accepted with, or with none', async () => {
    const { house, toolId, runners } = await withPlugin('public')
    const seeker = { userId: 'ada', version: null }
    const known = await house.plugins.find(seeker, toolId)
    const job = {
      ...{
        user_id: 'ada',
        tool_id: toolId,
        plugin_version: known?.spec.version ?? '',
        runner_id: known?.link?.id ?? '',
      },
    }
    const bound = async (change = {}) => (await house.plugins.bound({ ...job, ...change }))?.spec
    expect(await bound()).toEqual(known?.spec)
    // What runs is the same under another text.
    await house.publishing.edit('ada', toolId, { manifest: weather('Edited.') })
    expect(await bound()).toEqual(known?.spec)
    expect(await bound({ plugin_version: '1.0.0' })).toMatchObject({ version: '1.0.0' })
    await house.publishing.edit('ada', toolId, { distribution: { type: 'npm', package_name: 'other' } })
    expect(await bound()).toBeUndefined()
    expect(await bound({ plugin_version: '1.0.0' })).toMatchObject({ version: '1.0.0' })
    for (const link of runners.online('ada')) runners.cut(link)
    expect((await house.plugins.bound({ ...job, plugin_version: '1.0.0' }))?.link).toBeNull()
    await house.publishing.remove('ada', toolId)
    expect(await bound({ plugin_version: '1.0.0' })).toBeUndefined()
  })

  verifies('plug.reach.hidden', 'a plugin that was removed is there for nobody', async () => {
    const { app, open, invoke, list, house, toolId } = await withPlugin('public')
    const appId = await app('bob', [toolId])
    await house.apps.release('bob', appId, '1.0.0')
    const windows = [await open('bob', appId), await open('eve', appId, '1.0.0')]
    await house.publishing.remove('ada', toolId)
    for (const window of windows) {
      expect(await list(window)).toEqual([])
      expect(await invoke(window, toolId)).toMatch(NOT_THERE)
    }
  })
})

verifies('plug.skill.not_called', 'a skill is not listed, and who calls it is told what it is', async () => {
  const { app, open, invoke, list, publish, house } = await withPlugin('private')
  const body = { type: 'skill', distribution: undefined, ...skill, visibility: 'public' }
  const toolId = await publish('ada', body)
  const window = await open('bob', await app('bob', [toolId]))
  expect(await list(window)).toEqual([])
  expect(await invoke(window, toolId)).toMatch(/^invalid_arg: .* is a skill/)
  expect(await house.publishing.visible('bob')).toMatchObject({ plugs: [{ tool_id: toolId, status: null }] })
  const hidden = await publish('ada', { ...body, visibility: 'private' })
  expect(await invoke(await open('bob', await app('bob', [hidden])), hidden)).toMatch(NOT_THERE)
})

verifies(
  ['plug.reach.hidden', 'error.agent_unavailable'],
  'a runner that was revoked has nothing',
  async () => {
    const nobody = `tool-eve-x-${'0'.repeat(26)}`
    const room = openPluginRoom()
    const link = room.runners.connect('ada', readyRunner('forecast'))
    const toolId = await room.publish('ada')
    const window = await room.open('ada', await room.app('ada', [toolId]))
    expect(await room.invoke(window, toolId)).toMatch(/^1\.0\.0/)
    room.runners.cut(link)
    const none = await room.invoke(await room.open('ada', await room.app('ada', [nobody])), nobody)
    expect((await room.invoke(window, toolId)).replace(toolId, nobody)).toBe(none)
    expect(await room.list(window)).toEqual(['The weather. unavailable'])
  },
)
