import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { explain } from '../methods/define.ts'
import {
  grantsSchema,
  type Manifest,
  type ManifestInput,
  manifestSchema,
  viewOf,
  viewSchema,
} from './manifest.ts'

const least = {
  schema: 3,
  name: 'Notes',
  ui: { bundle: { entry: 'index.html' }, views: [{ name: 'main' }] },
}
const withUi = (ui: object) => ({ ...least, ui: { ...least.ui, ...ui } })
const withApi = (host_api: object) => withUi({ host_api })

const taken = (input: unknown): Manifest => manifestSchema.parse(input)
function refused(input: unknown): string {
  const read = manifestSchema.safeParse(input)
  if (read.success) throw new Error('it was taken')
  return explain(read.error, input)
}

verifies.each('manifest.schema')([
  [1, true],
  [2, true],
  [3, true],
  [0, false],
  [4, false],
  ['3', false],
  [undefined, false],
])('schema %j', (schema, ok) => {
  expect(manifestSchema.safeParse({ ...least, schema }).success).toBe(ok)
})

describe('the legacy permissions', () => {
  verifies.each('manifest.permissions.schema3')([[[]], [['storage']]])(
    '%j are refused at schema 3',
    (permissions) => {
      expect(refused({ ...least, permissions })).toMatch(/^permissions is not allowed at schema 3/)
    },
  )
  verifies.each('manifest.permissions.legacy')([
    [1, ['storage']],
    [2, [{ any: 'form' }]],
    [2, []],
    [3, undefined],
  ])('schema %i takes %j', (schema, permissions) => {
    expect(taken({ ...least, schema, permissions }).permissions).toEqual(permissions)
  })
  it('are a list where they are taken', () => {
    expect(refused({ ...least, schema: 2, permissions: 'storage' })).toMatch(/^permissions must be an array/)
  })
})

verifies.each('manifest.entry')([
  [{ bundle: {} }, /^ui\.bundle\.entry must be a string/],
  [{ bundle: { entry: '' } }, /^ui\.bundle\.entry must have at least 1/],
  [{ bundle: undefined }, /^ui\.bundle must be an object/],
])('ui %j is refused', (ui, sentence) => {
  expect(refused(withUi(ui))).toMatch(sentence)
})

describe('views', () => {
  const views = (...all: object[]) => withUi({ views: all })

  verifies('manifest.views', 'have a size where they name none', () => {
    expect(taken(least).ui.views).toEqual([
      { name: 'main', w: 640, h: 480, min_w: 120, min_h: 120, max_w: 10_000, max_h: 10_000 },
    ])
  })
  verifies.each('manifest.views')([
    [[{ name: 'a' }, { name: 'b' }], undefined, 'a'],
    [[{ name: 'a' }, { name: 'b', default: true }], undefined, 'b'],
    [[{ name: 'a', default: false }, { name: 'b' }], undefined, 'a'],
    [[{ name: 'a', default: true }, { name: 'b' }], 'b', 'b'],
    [[{ name: 'a' }], 'nosuch', undefined],
    [[{ name: 'a' }], 'constructor', undefined],
    [[{ name: 'a' }], '', undefined],
  ])('of %j the name %j opens %j', (all, name, opened) => {
    expect(viewOf(taken(views(...all)), name)?.name).toBe(opened)
  })
  verifies.each('manifest.views')([
    [[], /^ui\.views must have at least 1 item,/],
    [[{}], /^ui\.views\.0\.name must be a string/],
    [[{ name: '' }], /^ui\.views\.0\.name must have at least 1/],
    [[{ name: 'a' }, { name: 'a' }], /^ui\.views\.1\.name is listed twice/],
    [[{ name: 'a', default: 'yes' }], /^ui\.views\.0\.default must be a boolean/],
    [[{ name: 'a', w: 1.5 }], /^ui\.views\.0\.w must be an integer/],
    [Array.from({ length: 33 }, (_, at) => ({ name: `v${at}` })), /^ui\.views must have at most 32/],
  ])('%j are refused', (all, sentence) => {
    expect(refused(views(...all))).toMatch(sentence)
  })
  verifies.each('manifest.view.bounds')([
    [{ min_w: 400, max_w: 300 }, false],
    [{ min_h: 400, max_h: 300 }, false],
    [{ min_w: 300, max_w: 300 }, true],
    [{ min_w: 119 }, false],
    [{ max_w: 10_001 }, false],
  ])('%j: %j', (bounds, ok) => {
    expect(manifestSchema.safeParse(views({ name: 'a', ...bounds })).success).toBe(ok)
  })
})

describe('host_api', () => {
  it('is empty where it is absent', () => expect(taken(least).ui.host_api).toEqual({}))

  verifies('manifest.llm', 'llm lists methods', () => {
    expect(taken(withApi({ llm: ['complete'] })).ui.host_api.llm).toEqual(['complete'])
    expect(refused(withApi({ llm: 'complete' }))).toMatch(/^ui\.host_api\.llm must be an array/)
  })
  verifies.each(['manifest.storage', 'storage.access.names'])([
    [['get', 'set', 'delete', 'list']],
    [['*']],
    [[]],
  ])('storage takes %j', (storage) => {
    expect(taken(withApi({ storage })).ui.host_api.storage).toEqual(storage)
  })
  verifies.each('manifest.tools')([
    [undefined],
    [[]],
    [['required:*', 'optional:*', 'tool-x-y-1', 'required:tool-x-y-1', 'bundled:weather', 'any:tool-x-y-1']],
  ])('tools takes %j', (tools) => {
    expect(taken(withApi({ tools })).ui.host_api.tools).toEqual(tools)
  })
  verifies('manifest.namespaces', 'any other namespace lists methods or *', () => {
    const api = { chat: ['append_artifact'], files: ['*'], nosuch: [] }
    expect(taken(withApi(api)).ui.host_api).toEqual(api)
    expect(refused(withApi({ chat: true }))).toMatch(/^ui\.host_api\.chat must be an array/)
    expect(refused(withApi({ chat: [1] }))).toMatch(/^ui\.host_api\.chat\.0 must be a string/)
  })

  const session = (given: unknown) => taken(withApi({ agent: { session: given } })).ui.host_api.agent?.session

  verifies.each('manifest.agent.auto')([
    [undefined, false],
    [{}, false],
    [{ auto: false }, false],
    [{ auto: true }, true],
  ])('the session %j has auto %j', (given, auto) => {
    expect(session(given)?.auto).toBe(auto)
  })
  verifies('manifest.agent.auto', 'auto is a boolean', () => {
    expect(refused(withApi({ agent: { session: { auto: 1 } } }))).toMatch(/auto must be a boolean, got 1$/)
  })
  verifies.each('manifest.agent.fixed')([
    [{}, null],
    [{ fixed: null }, null],
    [{ fixed: { client_ids: ['tool-x-y-1'] } }, { client_ids: ['tool-x-y-1'] }],
  ])('the session %j has fixed %j', (given, fixed) => {
    expect(session(given)?.fixed).toEqual(fixed)
  })
  verifies('manifest.agent.fixed.empty', 'an empty list of clients is kept as one', () => {
    expect(session({ fixed: { client_ids: [] } })?.fixed).toEqual({ client_ids: [] })
  })
  verifies.each('manifest.agent.fixed')([[true], [{}], [[]], ['tool-x-y-1']])(
    'fixed %j is refused',
    (fixed) => {
      expect(refused(withApi({ agent: { session: { fixed } } }))).toMatch(
        /^ui\.host_api\.agent\.session\.fixed/,
      )
    },
  )
  verifies('manifest.agent.tools', 'agent.tools lists names', () => {
    expect(taken(withApi({ agent: { tools: ['time_now'] } })).ui.host_api.agent?.tools).toEqual(['time_now'])
    expect(refused(withApi({ agent: { tools: 'time_now' } }))).toMatch(
      /^ui\.host_api\.agent\.tools must be an array/,
    )
  })
  it('takes no list for the agent', () => {
    expect(refused(withApi({ agent: ['*'] }))).toMatch(/^ui\.host_api\.agent must be an object/)
  })
  it('gives no powers by an inherited name', () => {
    const read = taken(
      JSON.parse(
        '{"schema":3,"name":"N","ui":{"bundle":{"entry":"i"},"views":[{"name":"m"}],"host_api":{"__proto__":{"storage":["*"]}}}}',
      ),
    )
    expect(read.ui.host_api.storage).toBeUndefined()
  })
})

describe('plugs', () => {
  verifies('manifest.plugs', 'are empty lists where they are absent', () => {
    expect(taken(least)).toMatchObject({ required_plugs: [], optional_plugs: [] })
  })
  verifies.each(['manifest.plug.forms', 'manifest.plugs'])([
    ['tool-x-y-1', true],
    [{ tool_id: 'tool-x-y-1' }, true],
    [{ handle: 'weather' }, true],
    [{ tool_id: 'tool-x-y-1', handle: 'weather', version: '1.0.0' }, true],
    ['', false],
    [{}, false],
    [{ version: '1.0.0' }, false],
    [7, false],
    [null, false],
  ])('%j: %j', (plug, ok) => {
    for (const list of ['required_plugs', 'optional_plugs'])
      expect(manifestSchema.safeParse({ ...least, [list]: [plug] }).success).toBe(ok)
  })
})

describe('csp', () => {
  it.each([
    ['https://api.example.org', true],
    ['https://api.example.org:8443', true],
    ['http://api.example.org', false],
    ['https://*.example.org', false],
    ['https://api.example.org/path', false],
    ["https://a.example; script-src 'unsafe-inline'", false],
    ['https://a.example\n', false],
    ["'self'", false],
    ['*', false],
  ])('%j: %j', (origin, ok) => {
    for (const list of ['connect_src', 'img_src'])
      expect(manifestSchema.safeParse(withUi({ csp: { [list]: [origin] } })).success).toBe(ok)
  })
})

it('drops fields that the host does not read', () => {
  const input: ManifestInput & { homepage: string } = { ...(least as ManifestInput), homepage: 'x' }
  expect(taken(input)).not.toHaveProperty('homepage')
})

it.each([
  [{}, true],
  [{ image_grant: true, upload_grant: false, web_grant: true, credentials_grant: true }, true],
  [{ allowed_scopes: ['shared'], models: ['small'] }, true],
  [{ agent: { platform_tools: ['time_now'], inherit_host_tools: true } }, true],
  [{ quota_caps: { max_tokens_per_call: 1, max_runs_per_day: 0, max_concurrent_runs: 4 } }, true],
  [{ plugs: [{ tool_id: 'tool-eve-sky-1', version: '1.0.0' }], plugs_never: ['tool-eve-x-1'] }, true],
  [{ plugs: [{ tool_id: 'tool-eve-sky-1', version: '1.0.0', digest: '0'.repeat(32) }] }, true],
  [{ image_grant: 'yes' }, false],
  [{ plugs: ['tool-eve-sky-1'] }, false],
  [{ plugs: [{ tool_id: 'tool-eve-sky-1' }] }, false],
  [{ plugs: Array.from({ length: 129 }, (_, at) => ({ tool_id: `tool-${at}`, version: '1.0.0' })) }, false],
  [{ plugs_never: [''] }, false],
  [{ quota_caps: { max_tokens_per_call: 0 } }, false],
  [{ quota_caps: { max_runs_per_day: -1 } }, false],
  [{ allowed_scopes: 'shared' }, false],
])('grants %j: %j', (grants, ok) => {
  expect(grantsSchema.safeParse(grants).success).toBe(ok)
})

verifies.each(['manifest.view.bounds'])([
  [{ max_w: 300 }, 300, 480],
  [{ min_w: 900, min_h: 700 }, 900, 700],
  [{ w: 500, h: 400 }, 500, 400],
])('the size of a view lies within its own bounds: %j', (bounds, w, h) => {
  expect(viewSchema.parse({ name: 'main', ...bounds })).toMatchObject({ w, h })
})
