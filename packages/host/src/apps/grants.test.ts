import { verifies } from '@svc/conformance/verifies'
import { manifestSchema } from '@svc/contract'
import * as z from '@svc/contract/zod'
import { expect } from 'vitest'
import { testManifest } from '../testing/services.ts'
import { openPlatformTools } from '../work/sessions/platform-tools.ts'
import { grantsAskedBy } from './grants.ts'

const platformTools = openPlatformTools([
  { name: 'ring_bell', description: 'Rings.', dev_safe: true, args: z.object({}), call: () => ({}) },
])
const safe = [
  'time_now',
  'storage_get',
  'storage_set',
  'storage_list',
  'storage_delete',
  'files_read',
  'ring_bell',
]
const agent = (session: unknown, tools?: string[]) => ({ agent: { session, ...(tools && { tools }) } })
const auto = { auto: true, fixed: null }

verifies.each('harness.grants.agent')([
  ['no submode', {}, undefined],
  ['both submodes off', agent({ auto: false, fixed: null }, ['time_now']), undefined],
  ['auto that names none', agent(auto), safe],
  ['auto that names none, with an empty list', agent(auto, []), []],
  ['auto that names some', agent(auto, ['web_fetch', 'time_now']), ['web_fetch', 'time_now']],
  ['fixed', agent({ auto: false, fixed: { client_ids: [] } }, ['web_fetch']), ['web_fetch']],
])('the harness grants an app with %s', (_name, host_api, platform_tools) => {
  const manifest = manifestSchema.parse({ ...testManifest(), ui: { ...testManifest().ui, host_api } })
  expect(grantsAskedBy(manifest, platformTools).agent).toEqual(
    platform_tools && { platform_tools, inherit_host_tools: true },
  )
})

verifies('install.grants.egress', 'the origins that a manifest names are asked for', () => {
  const csp = { connect_src: ['https://api.site.org'], img_src: [] }
  expect(grantsAskedBy(manifestSchema.parse(testManifest({ csp })), platformTools)).toEqual({
    connect_src: ['https://api.site.org'],
  })
})
