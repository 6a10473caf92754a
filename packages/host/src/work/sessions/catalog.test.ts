import { verifies } from '@svc/conformance/verifies'
import { type Manifest, manifestSchema } from '@svc/contract'
import * as z from '@svc/contract/zod'
import { expect, test } from 'vitest'
import type { InstallRow } from '../../catalog/records.ts'
import { testManifest } from '../../testing/services.ts'
import { openToolBed } from '../../testing/session-tools.ts'
import { catalogOf, openPlatformTools } from './platform-tools.ts'

const platformTools = openPlatformTools([
  { name: 'ring_bell', description: 'Rings.', dev_safe: false, args: z.object({}), call: () => ({}) },
])
const hostApi = (tools?: string[]) => ({
  agent: { session: { auto: true, fixed: null }, ...(tools && { tools }) },
})
const manifestOf = (tools?: string[]): Manifest =>
  manifestSchema.parse(testManifest({ host_api: hostApi(tools) }))
const catalog = (tools: string[] | undefined, agent: InstallRow['grants']['agent']) =>
  catalogOf({ platformTools }, { manifest: manifestOf(tools) }, { grants: { agent } })
const entry = (tools: string[] | undefined, granted: string[], name: string) =>
  catalog(tools, { platform_tools: granted }).platform_tools.find((one) => one.name === name)

verifies.each(['catalog.entry.fields', 'catalog.entry.blocked_by', 'session.tools.auto.dev_safe'])([
  ['named and granted', ['time_now'], ['time_now'], 'time_now', [true, true, true, undefined]],
  ['named, not granted', ['time_now'], [], 'time_now', [true, false, false, 'user_grant']],
  ['granted, another one named', ['web_fetch'], ['time_now'], 'time_now', [false, true, false, 'manifest']],
  ['neither', ['web_fetch'], ['web_fetch'], 'time_now', [false, false, false, 'manifest']],
  ['granted, none named, dev_safe', undefined, ['time_now'], 'time_now', [false, true, true, undefined]],
  ['granted, an empty list, dev_safe', [], ['time_now'], 'time_now', [false, true, false, 'manifest']],
  ['none named, dev_safe, not granted', undefined, [], 'time_now', [false, false, false, 'user_grant']],
  [
    'granted, none named, not dev_safe',
    undefined,
    ['web_fetch'],
    'web_fetch',
    [false, true, false, 'manifest'],
  ],
  [
    'named and granted, not dev_safe',
    ['web_fetch'],
    ['web_fetch'],
    'web_fetch',
    [true, true, true, undefined],
  ],
  ['only unknown ones named', ['no_such'], ['time_now'], 'time_now', [false, true, false, 'manifest']],
  ['one of this host', ['ring_bell'], ['ring_bell'], 'ring_bell', [true, true, true, undefined]],
] as const)('%s', (_name, named, granted, name, [declared, user, eligible, blocked]) => {
  expect(entry(named && [...named], [...granted], name)).toEqual({
    name,
    description: expect.stringMatching(/./),
    dev_safe: name === 'time_now',
    declared_in_manifest: declared,
    user_granted: user,
    eligible,
    ...(blocked && { blocked_by: blocked }),
  })
})

verifies(
  'session.catalog',
  'it tells what the manifest names and the user granted, unknown names too',
  () => {
    expect(
      catalog(['time_now', 'no_such'], { platform_tools: ['gone'], inherit_host_tools: true }),
    ).toMatchObject({
      inherit_host_tools_granted: true,
      manifest_declared: ['time_now', 'no_such'],
      user_granted: ['gone'],
    })
    expect(catalog(undefined, undefined)).toMatchObject({
      inherit_host_tools_granted: false,
      manifest_declared: [],
      user_granted: [],
    })
  },
)

test('what it calls eligible is what an auto session has', async () => {
  for (const named of [undefined, ['time_now', 'web_fetch', 'storage_get']]) {
    const host_api = hostApi(named)
    const grants = { agent: { platform_tools: ['time_now', 'web_fetch', 'storage_set'] } }
    const bed = await openToolBed({ host_api, grants })
    const { platform_tools } = catalogOf(bed.services, { manifest: manifestOf(named) }, { grants })
    const eligible = platform_tools.filter((tool) => tool.eligible).map((tool) => tool.name)
    expect(await bed.names()).toEqual(eligible)
    expect(eligible).toEqual(named ? ['time_now', 'web_fetch'] : ['time_now', 'storage_set'])
  }
})
