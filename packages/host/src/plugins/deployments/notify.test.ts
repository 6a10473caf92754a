import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openPluginBed } from '../../testing/plugins.ts'
import { weather } from '../../testing/publishing.ts'
import { describes, handRunner, readyRunner } from '../../testing/runners.ts'

type Bed = Awaited<ReturnType<typeof open>>

/**
 * Ada's plugin, and windows of ada and bob in their own apps that declare it and in ones that do not; one of ada's is
 * of a release that pins it, one of an app whose allow-list leaves it out, and one is closed. Nobody's runner is online, so that nothing but publishing moves.
 */
async function open(visibility: string) {
  const bed = openPluginBed()
  const toolId = await bed.publish('ada', { visibility })
  const windows: Record<string, string> = {}
  const app = async (name: string, user: string, plugs: readonly string[]) => {
    const appId = await bed.app(user, plugs)
    windows[(await bed.open(user, appId)).windowUuid] = name
    return appId
  }
  const adas = await app('ada', 'ada', [toolId])
  await app('bob', 'bob', [toolId])
  await app('ada-other', 'ada', ['weather'])
  await app('bob-other', 'bob', [])
  const ui = { bundle: { entry: 'index.html' }, views: [{ name: 'main' }], host_api: { tools: ['weather'] } }
  const narrow = await bed.app('ada', [toolId, 'weather'], { ui })
  windows[(await bed.open('ada', narrow)).windowUuid] = 'ada-narrow'
  await bed.services.apps.release('ada', adas, '1.0.0')
  const released = await bed.open('ada', adas, '1.0.0')
  windows[released.windowUuid] = 'ada-released'
  windows[(await bed.open('bob', adas, '1.0.0')).windowUuid] = 'bob-released'
  const closed = await bed.open('ada', adas)
  await bed.services.windows.close('ada', closed.windowUuid, null)
  await bed.told()
  return {
    ...bed,
    toolId,
    released,
    heard: async () => (await bed.told()).map((uuid) => windows[String(uuid)] ?? uuid).sort(),
  }
}

const edit = (body: object) => (bed: Bed) => bed.services.publishing.edit('ada', bed.toolId, body)
const publish = (body: object) => (bed: Bed) => bed.services.publishing.publish('ada', bed.toolId, body)
const mark = (status: 'active' | 'deprecated' | 'yanked') => (bed: Bed) =>
  bed.services.publishing.mark('ada', bed.toolId, '1.0.0', { status })
const both =
  (...steps: ((bed: Bed) => Promise<unknown>)[]) =>
  async (bed: Bed) => {
    for (const step of steps) await step(bed)
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
    (bed) => bed.services.publishing.remove('ada', bed.toolId),
    ['ada', 'ada-released', 'bob', 'bob-released'],
  ],
  [
    'a removal',
    'private',
    (bed) => bed.services.publishing.remove('ada', bed.toolId),
    ['ada', 'ada-released'],
  ],
  ['a yank', 'public', mark('yanked'), ['bob']],
  [
    'a yank taken back',
    'public',
    both(mark('yanked'), async (bed) => void (await bed.told()), mark('active')),
    ['bob'],
  ],
  ['a deprecation', 'public', mark('deprecated'), []],
  ['a plugin of another name', 'public', (bed) => bed.publish('ada', { visibility: 'public' }), []],
] as [string, string, (bed: Bed) => Promise<unknown>, string[]][])(
  '%s of one that is %s tells the windows whose list is another',
  async (_what, visibility, step, concerned) => {
    const bed = await open(visibility)
    await step(bed)
    expect(await bed.heard()).toEqual(concerned)
  },
)

verifies(
  'event.tools_changed.concerned',
  'a runner that comes or goes tells the windows of its user alone',
  async () => {
    const bed = await open('public')
    const link = bed.runners.connect('ada', readyRunner('forecast'))
    expect(await bed.heard()).toEqual(['ada', 'ada-released'])
    bed.runners.cut(link)
    expect(await bed.heard()).toEqual(['ada', 'ada-released'])
    bed.runners.connect('eve', readyRunner('forecast'))
    expect(await bed.heard()).toEqual([])
  },
)

verifies(
  'event.tools_changed.concerned',
  'a status is told where the content stands that has it',
  async () => {
    const bed = await open('private')
    await bed.services.publishing.edit('ada', bed.toolId, { manifest: weather('Edited.') })
    const runner = handRunner({ describe: () => describes('forecast') })
    bed.runners.connect('ada', runner)
    const seeker = { userId: 'ada', version: null }
    const live = await bed.services.plugins.find(seeker, bed.toolId)
    await bed.list(bed.released)
    await bed.heard()
    expect(runner.installs).toHaveLength(2)
    for (const { plugin, answer } of runner.installs)
      if (plugin.version !== live?.spec.version) answer({ ok: true })
    expect(await bed.heard()).toEqual(['ada-released'])
  },
)
