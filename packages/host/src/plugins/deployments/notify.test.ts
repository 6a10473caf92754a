import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openPluginRoom } from '../../testing/plugin-room.ts'
import { weather } from '../../testing/publishing.ts'
import { describes, handRunner, readyRunner } from '../../testing/runners.ts'

type Room = Awaited<ReturnType<typeof open>>

/**
 * Ada's plugin, and windows of ada and bob in their own apps that declare it and in ones that do not; one of ada's is
 * of a release that pins it, one of an app whose allow-list leaves it out, and one is closed. Nobody's runner is online, so that nothing but publishing moves.
 */
async function open(visibility: string) {
  const room = openPluginRoom()
  const toolId = await room.publish('ada', { visibility })
  const windows: Record<string, string> = {}
  const app = async (name: string, user: string, plugs: readonly string[]) => {
    const appId = await room.app(user, plugs)
    windows[(await room.open(user, appId)).windowUuid] = name
    return appId
  }
  const adas = await app('ada', 'ada', [toolId])
  await app('bob', 'bob', [toolId])
  await app('ada-other', 'ada', ['weather'])
  await app('bob-other', 'bob', [])
  const ui = { bundle: { entry: 'index.html' }, views: [{ name: 'main' }], host_api: { tools: ['weather'] } }
  const narrow = await room.app('ada', [toolId, 'weather'], { ui })
  windows[(await room.open('ada', narrow)).windowUuid] = 'ada-narrow'
  await room.services.apps.release('ada', adas, '1.0.0')
  const released = await room.open('ada', adas, '1.0.0')
  windows[released.windowUuid] = 'ada-released'
  windows[(await room.open('bob', adas, '1.0.0')).windowUuid] = 'bob-released'
  const closed = await room.open('ada', adas)
  await room.services.windows.close('ada', closed.windowUuid, null)
  await room.told()
  return {
    ...room,
    toolId,
    released,
    heard: async () => (await room.told()).map((uuid) => windows[String(uuid)] ?? uuid).sort(),
  }
}

const edit = (body: object) => (room: Room) => room.services.publishing.edit('ada', room.toolId, body)
const publish = (body: object) => (room: Room) => room.services.publishing.publish('ada', room.toolId, body)
const mark = (status: string) => (room: Room) =>
  room.services.publishing.mark('ada', room.toolId, '1.0.0', { status })
const both =
  (...steps: ((room: Room) => Promise<unknown>)[]) =>
  async (room: Room) => {
    for (const step of steps) await step(room)
  }

verifies.each(['event.tools_changed.concerned', 'event.tools_changed'])([
  // [what is done, first visibility, the step, who hears]
  ['an edit of a tool', 'private', edit({ manifest: weather('Edited.') }), ['ada']],
  ['an edit of a tool', 'public', edit({ manifest: weather('Edited.') }), ['ada']],
  ['an edit of the name in lists', 'public', edit({ name: 'Sky', tags: ['sky'] }), []],
  [
    'an edit of where it comes from',
    'public',
    edit({ distribution: { type: 'npm', package_name: 'x', version: '1.0.0' } }),
    [],
  ],
  ['a new version', 'public', publish({ manifest: weather('Better.') }), ['ada', 'bob']],
  ['a new version', 'private', publish({ manifest: weather('Better.') }), ['ada']],
  ['a promotion', 'private', edit({ visibility: 'public' }), ['bob', 'bob-released']],
  ['bundling', 'private', edit({ visibility: 'app_bundled' }), ['bob-released']],
  ['hiding', 'public', edit({ visibility: 'private' }), ['bob', 'bob-released']],
  ['hiding what was bundled', 'app_bundled', edit({ visibility: 'private' }), ['bob-released']],
  [
    'a removal',
    'public',
    (room) => room.services.publishing.remove('ada', room.toolId),
    ['ada', 'ada-released', 'bob', 'bob-released'],
  ],
  [
    'a removal',
    'private',
    (room) => room.services.publishing.remove('ada', room.toolId),
    ['ada', 'ada-released'],
  ],
  ['a yank', 'public', mark('yanked'), ['bob']],
  [
    'a yank taken back',
    'public',
    both(mark('yanked'), async (room) => void (await room.told()), mark('active')),
    ['bob'],
  ],
  ['a deprecation', 'public', mark('deprecated'), []],
  ['a plugin of another name', 'public', (room) => room.publish('ada', { visibility: 'public' }), []],
] as [string, string, (room: Room) => Promise<unknown>, string[]][])(
  '%s of one that is %s tells the windows whose list is another',
  async (_what, visibility, step, concerned) => {
    const room = await open(visibility)
    await step(room)
    expect(await room.heard()).toEqual(concerned)
  },
)

verifies(
  'event.tools_changed.concerned',
  'a runner that comes or goes tells the windows of its user alone',
  async () => {
    const room = await open('public')
    const link = room.runners.connect('ada', readyRunner('forecast'))
    expect(await room.heard()).toEqual(['ada', 'ada-released'])
    room.runners.cut(link)
    expect(await room.heard()).toEqual(['ada', 'ada-released'])
    room.runners.connect('eve', readyRunner('forecast'))
    expect(await room.heard()).toEqual([])
  },
)

verifies(
  'event.tools_changed.concerned',
  'a status is told where the content stands that has it',
  async () => {
    const room = await open('private')
    await room.services.publishing.edit('ada', room.toolId, { manifest: weather('Edited.') })
    const runner = handRunner({ describe: () => describes('forecast') })
    room.runners.connect('ada', runner)
    const seeker = { userId: 'ada', version: null }
    const live = await room.services.plugins.find(seeker, room.toolId)
    await room.list(room.released)
    await room.heard()
    expect(runner.installs).toHaveLength(2)
    for (const { plugin, answer } of runner.installs)
      if (plugin.version !== live?.spec.version) answer({ ok: true })
    expect(await room.heard()).toEqual(['ada-released'])
  },
)
