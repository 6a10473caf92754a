import { openToolHost, type ToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, expect } from 'vitest'

let services: ToolHost | undefined
afterEach(() => services?.close())

const host_api = {
  agent: { session: { auto: true, fixed: { client_ids: ['odd'] } }, tools: ['time_now'] },
}
const open = async (grants: unknown) => {
  services = await openToolHost({
    grants,
    manifest: {
      host_api,
      required_plugs: ['odd'],
    },
  })
  return services.window
}
const agent = { platform_tools: ['time_now', 'storage_get'], inherit_host_tools: true }

verifies(
  ['session.catalog', 'catalog.entry.fields'],
  'a bundle reads in the catalog which tools its sessions may have, and makes none by it',
  async () => {
    const window = await open({ agent })
    const answer = await window.call('agent', 'session.catalog')
    expect(answer).toMatchObject({
      ok: true,
      result: {
        manifest_declared: ['time_now'],
        user_granted: agent.platform_tools,
        inherit_host_tools_granted: true,
        platform_tools: expect.arrayContaining([
          {
            name: 'time_now',
            description: 'Tells the time now, in UTC.',
            dev_safe: true,
            declared_in_manifest: true,
            user_granted: true,
            eligible: true,
          },
          expect.objectContaining({ name: 'storage_get', eligible: false, blocked_by: 'manifest' }),
        ]),
      },
    })
    expect(await window.call('agent', 'session.list')).toMatchObject({ result: { sessions: [] } })
  },
)

verifies(
  ['session.tools.names', 'session.tools.auto.plugins', 'session.tools.fixed'],
  'create answers what the session may call, the tools of real plugins too',
  async () => {
    const window = await open({ agent })
    const [plugin] = (await services?.host.plugins.of({ userId: 'ada', version: null })) ?? []
    const create = async (args: unknown) => {
      const answer = await window.call('agent', 'session.create', args)
      return answer.ok ? answer.result.granted_tools : answer.error
    }
    const tools = plugin?.description?.tools.map(({ name }) => `${plugin.tool_id}__${name}`) ?? []
    expect(tools).toContain(`${plugin?.tool_id}__echo`)
    expect(await create({ submode: 'auto' })).toEqual(['time_now', ...tools])
    expect(await create({ submode: 'fixed', fixed_client_id: 'odd' })).toEqual(['time_now', ...tools])
  },
)
