import { manifestSchema } from '@svc/contract'
import { expect, test } from 'vitest'
import { openPluginBed } from '../testing/plugins.ts'
import { refusal, testManifest } from '../testing/services.ts'
import { type Lack, lacksOf } from './lacks.ts'

const manifestOf = (host_api: object, more: object = {}) => {
  const { ui, ...rest } = testManifest() as { ui: object }
  return manifestSchema.parse({ ...rest, ui: { ...ui, host_api }, ...more })
}
const shown = (lacks: readonly Lack[]) =>
  lacks.map(({ where, problem, required }) => `${required ? '✗' : '!'} ${where}: ${problem}`)

const models = { models: null, embeddingModel: null, imageModel: null }

/** Ada's app on a host with one plugin of the operator, and no runner, model or search. */
async function lacking(host_api: object, more: object = {}) {
  const { services } = openPluginBed(
    {},
    { models, plugins: [{ slug: 'clock', command: ['node', 'clock.ts'] }] },
  )
  return shown(await lacksOf(services, 'ada', manifestOf(host_api, more)))
}

test.each<[object, string[]]>([
  [{ required_plugs: [{ handle: 'weather' }] }, ['✗ required_plugs.0: this host has no plugin "weather"']],
  [{ required_plugs: ['weather'] }, ['✗ required_plugs.0: this host has no plugin "weather"']],
  [
    { optional_plugs: [{ handle: 'a' }, { handle: 'b' }] },
    ['! optional_plugs.0: this host has no plugin "a"', '! optional_plugs.1: this host has no plugin "b"'],
  ],
  [
    { required_plugs: [{ tool_id: 'tool-bob-sky-1', handle: 'sky' }] },
    ['✗ required_plugs.0: the owner of this app can use no plugin "tool-bob-sky-1" of this host'],
  ],
  [
    { required_plugs: [{ handle: 'clock' }] },
    ['✗ required_plugs.0: this host was started without a runner, so the plugin "clock" never runs here'],
  ],
])('%j is missed', async (more, said) => {
  expect(await lacking({}, more)).toEqual(said)
})

test.each<[object, string[]]>([
  [{ storage: ['*'], tools: ['required:*'], window: [] }, []],
  [{ image: ['edit'] }, ['! ui.host_api.image: this host does not have what is behind image.edit']],
  [{ llm: ['embed'] }, ['! ui.host_api.llm: this host does not have what is behind llm.embed']],
  [{ web: ['search', 'fetch'] }, ['! ui.host_api.web: this host does not have what is behind web.search']],
  [
    { image: ['*'] },
    ['generate', 'edit'].map(
      (name) => `! ui.host_api.image: this host does not have what is behind image.${name}`,
    ),
  ],
  [
    { agent: { session: { auto: true } } },
    ['! ui.host_api.agent: this host does not have models, so no agent answers'],
  ],
  [{ video: ['cut'] }, ['! ui.host_api.video: this host does not know the namespace video']],
  [{ storage: ['watch'] }, ['! ui.host_api.storage: this host does not know the method storage.watch']],
])('%j is missed', async (host_api, said) => {
  expect(await lacking(host_api)).toEqual(said)
})

test.each(['own', 'public', 'private'] as const)('a published plugin, %s', async (whose) => {
  const bed = openPluginBed()
  const toolId = await bed.publish(whose === 'own' ? 'ada' : 'bob', {
    visibility: whose === 'public' ? 'public' : 'private',
  })
  const manifest = manifestOf({}, { required_plugs: [{ tool_id: toolId, handle: 'sky' }] })
  const said = shown(await lacksOf(bed.services, 'ada', manifest))
  expect(said).toHaveLength(whose === 'private' ? 1 : 0)
})

test('a release of what requires a plugin that is not here says how to put it right', async () => {
  const { app, services } = openPluginBed()
  const appId = await app('ada', [{ handle: 'weather' }])
  expect(await refusal(services.apps.release('ada', appId, '1.0.0'))).toMatch(
    /^invalid_arg: the app cannot work here: this host has no plugin "weather"/,
  )
  expect(await services.apps.release('ada', appId, '1.0.0', true)).toMatchObject({ version: '1.0.0' })
})
