import { verifies } from '@svc/conformance/verifies'
import { describe, expect } from 'vitest'
import { BOTH, openToolBed, pluginId, type ToolBed } from '../../testing/session-tools.ts'

const granted = (platform_tools: string[], inherit_host_tools = false) => ({
  agent: { platform_tools, inherit_host_tools },
})
const platform = (tools?: string[]) => ({ agent: { session: BOTH, ...(tools && { tools }) } })
async function toolsOf(bed: ToolBed, slug: string) {
  const id = await pluginId(bed, slug)
  return ['all', 'slow'].map((tool) => `${id}__${tool}`)
}

describe('a session of the submode auto', () => {
  verifies.each(['session.tools.auto.platform', 'session.tools.auto.dev_safe'])([
    ['nothing named, nothing granted', undefined, [], []],
    ['named, not granted', ['time_now'], [], []],
    ['named and granted', ['time_now', 'web_fetch'], ['web_fetch', 'time_now'], ['time_now', 'web_fetch']],
    ['more granted than named', ['time_now'], ['time_now', 'storage_get'], ['time_now']],
    [
      'nothing named: the dev_safe ones of what is granted',
      undefined,
      ['time_now', 'web_fetch'],
      ['time_now'],
    ],
    ['names that are not platform tools', ['build__all'], ['time_now', 'build__all'], []],
  ])('%s', async (_name, named, grants, expected) => {
    const bed = await openToolBed({ host_api: platform(named), grants: granted(grants) })
    expect(await bed.names()).toEqual(expected)
  })

  verifies.each(['session.tools.auto.plugins', 'session.tools.names'])([
    ['no plugin declared', [], undefined, []],
    ['one declared', ['build'], undefined, ['build']],
    ['both declared', ['build', 'stats'], undefined, ['build', 'stats']],
    ['one of two listed', ['build', 'stats'], ['stats'], ['stats']],
    ['listed, not declared', ['build'], ['stats'], []],
  ])('%s', async (_name, required_plugs, tools, slugs) => {
    const bed = await openToolBed({
      host_api: { ...platform(['time_now']), ...(tools && { tools }) },
      required_plugs,
    })
    const expected = await Promise.all(slugs.map((slug) => toolsOf(bed, slug)))
    expect(await bed.names()).toEqual(expected.flat())
  })

  verifies('session.tools.names', 'tells a model what each tool does and takes', async () => {
    const bed = await openToolBed({ required_plugs: ['build'], grants: granted(['time_now']) })
    const tools = await bed.tools(await bed.session())
    expect(tools.map(({ description, inputSchema }) => [description, inputSchema])).toEqual([
      ['Tells the time now, in UTC.', { type: 'object', properties: {} }],
      ['Does all.', { type: 'object', properties: {} }],
      ['', { type: 'object' }],
    ])
  })

  verifies.each('session.tools.auto.plugins')([
    ['waits for a plugin that is being described', 0, ['all', 'slow']],
    ['leaves out one that does not say what it is in time', 10_000, []],
  ])('%s', async (_name, waited, tools) => {
    let tell = () => {}
    const described = new Promise<void>((done) => {
      tell = done
    })
    const bed = await openToolBed({ required_plugs: ['build'] }, { described })
    const { clock } = bed.services
    const asked = bed.tools(await bed.session())
    await expect.poll(() => clock.timers).toBe(1)
    await clock.advance(waited)
    if (waited === 0) tell()
    const names = (await asked).map(({ name }) => name)
    const id = await pluginId(bed, 'build')
    expect(names).toEqual(tools.map((tool) => `${id}__${tool}`))
    expect(clock.timers).toBe(0)
    tell()
  })
})

describe('a session of the submode fixed', () => {
  const fixed = (slug: string) => ({ submode: 'fixed', fixedClientId: slug }) as const

  verifies.each(['session.tools.fixed', 'session.tools.fixed.inherit'])([
    ['has the tools of its plugin', ['stats'], [], false, []],
    ['and no other, declared or not', ['build', 'stats'], [], false, []],
    ['without inherit_host_tools no platform tools', ['stats'], ['time_now'], false, []],
    ['with it the granted ones', ['stats'], ['time_now', 'storage_get'], true, ['time_now']],
  ])('%s', async (_name, required_plugs, grants, inherits, tools) => {
    const host_api = platform(['time_now', 'web_fetch'])
    const bed = await openToolBed({ host_api, required_plugs, grants: granted(grants, inherits) })
    expect(await bed.names(fixed('stats'))).toEqual([...tools, ...(await toolsOf(bed, 'stats'))])
  })

  verifies('session.tools.anew', 'loses its tools with its place in the manifest', async () => {
    const required_plugs = ['stats']
    const bed = await openToolBed({ required_plugs, grants: granted(['time_now'], true) })
    const session = await bed.session(fixed('stats'))
    const push = (session: object) => bed.push({ host_api: { agent: { session } }, required_plugs })
    const names = async () => (await bed.tools(session)).map(({ name }) => name)
    expect(await names()).toEqual(['time_now', ...(await toolsOf(bed, 'stats'))])
    await push({ auto: true, fixed: { client_ids: ['build'] } })
    expect(await names()).toEqual([])
    await push({ auto: true, fixed: null })
    expect(await names()).toEqual([])
    await push({ auto: false, fixed: { client_ids: ['stats'] } })
    await bed.install({})
    expect(await names()).toEqual(await toolsOf(bed, 'stats'))
  })
})

verifies('session.tools.complete', 'a completion session has no tools', async () => {
  const bed = await openToolBed({ required_plugs: ['build'], grants: granted(['time_now'], true) })
  expect(await bed.names()).toHaveLength(3)
  expect(await bed.names({ kind: 'complete', submode: null })).toEqual([])
})
