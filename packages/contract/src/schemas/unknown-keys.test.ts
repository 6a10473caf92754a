import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { manifestJsonSchema } from './manifest-json-schema.ts'
import { unknownKeys } from './unknown-keys.ts'

const schema = manifestJsonSchema()
const whole = {
  $schema: '../schema.json',
  schema: 3,
  name: 'Notes',
  version: '1.0.0',
  permissions: [],
  ui: {
    bundle: { entry: 'index.html' },
    views: [
      { name: 'main', default: true, title: 'Notes', w: 1, h: 1, min_w: 1, min_h: 1, max_w: 1, max_h: 1 },
    ],
    host_api: {
      storage: ['get'],
      llm: ['*'],
      files: ['*'],
      tools: ['required:*'],
      nosuch: ['x'],
      agent: { session: { auto: true, fixed: { client_ids: [] } }, tools: [] },
    },
    csp: { connect_src: [], img_src: [] },
  },
  required_plugs: ['csv', { tool_id: 'a', handle: 'b', version: '1.0.0' }],
  optional_plugs: [],
}

it('has every key of a manifest', () => {
  expect(unknownKeys(whole, schema)).toEqual([])
})

verifies.each('manifest.unknown_keys')([
  [{ ui: { host_apis: {} } }, 'ui.host_apis', 'ui.host_api'],
  [{ host_api: {} }, 'host_api', 'ui.host_api'],
  [{ views: [] }, 'views', 'ui.views'],
  [{ nmae: 'x' }, 'nmae', 'name'],
  [{ description: 'x' }, 'description', null],
  [{ ui: { views: [{ name: 'a' }, { name: 'b', width: 1 }] } }, 'ui.views.1.width', null],
  [{ ui: { views: [{ minw: 1 }] } }, 'ui.views.0.minw', 'ui.views.0.min_w'],
  [{ ui: { bundle: { entri: 'x' } } }, 'ui.bundle.entri', 'ui.bundle.entry'],
  [
    { ui: { host_api: { agent: { session: { autos: true } } } } },
    'ui.host_api.agent.session.autos',
    'ui.host_api.agent.session.auto',
  ],
  [
    { ui: { host_api: { agent: { session: { fixed: { ids: [] } } } } } },
    'ui.host_api.agent.session.fixed.ids',
    null,
  ],
  [{ required_plugs: ['a', { toolid: 'x' }] }, 'required_plugs.1.toolid', 'required_plugs.1.tool_id'],
])('of %j tells %s', (manifest, path, meant) => {
  expect(unknownKeys(manifest, schema)).toEqual([{ path, meant }])
})

it.each([[null], [7], ['x'], [[]], [{ ui: 7 }], [{ ui: { views: {} } }]])('tells none of %j', (value) => {
  expect(unknownKeys(value, schema)).toEqual([])
})
