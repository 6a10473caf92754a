import { limits, type Publisher, publisherText } from '@svc/contract'
import { defineCommand } from 'citty'
import type { HostClient } from '../../host/client.ts'
import { connect, hostArgs } from '../../host/sign-in.ts'
import { table } from '../../table.ts'

/** A plugin in a list of the host. */
interface Listed {
  readonly tool_id: string
  readonly name: string
  readonly type: string
  readonly version: string
  readonly visibility: string
  readonly tools: readonly string[]
  readonly own: boolean
  readonly configured?: boolean
  /** Who published it; `null`: the operator configured it; a host of before does not tell. */
  readonly publisher?: Publisher | null
  /** How own ones stand with the runners of the user, and why they cannot be called. */
  readonly status?: string
  readonly problem?: string | null
}

/** `svc plug list`: the user's own plugins, and what others made public. */
export const list = defineCommand({
  meta: { name: 'list', description: 'Lists your plugins and those that you may use.' },
  args: { ...hostArgs, json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' } },
  async run({ args }) {
    const plugs = await visible(await connect(args))
    if (args.json) console.log(JSON.stringify({ ok: true, plugs }))
    else if (plugs.length === 0) console.log('There are no plugins yet: svc plug publish makes one.')
    else
      console.log(
        table(
          ['tool_id', 'name', 'version', 'visibility', 'tools', 'by', ''],
          plugs.map((plug) => [
            plug.tool_id,
            plug.name,
            plug.version,
            plug.visibility,
            plug.type === 'skill' ? 'a skill' : brief(plug.tools),
            plug.publisher ? publisherText(plug.publisher) : '',
            standing(plug),
          ]),
        ),
      )
  },
})

/** The first of many names; --json has them all. */
const NAMED_MAX = 3
const brief = (tools: readonly string[]) =>
  tools.length <= NAMED_MAX + 1
    ? tools.join(', ')
    : `${tools.slice(0, NAMED_MAX).join(', ')} and ${tools.length - NAMED_MAX} more`

/** How one's own stand, and the operator's; a skill has nothing that could stand. */
function standing({ own, configured = false, status, problem }: Listed): string {
  if (configured) return [`the host's, ${status}`, ...(problem ? [problem] : [])].join(': ')
  if (!own) return ''
  if (status === undefined) return 'yours'
  return problem ? `yours, ${status}: ${problem}` : `yours, ${status}`
}

/** All pages of the list. */
async function visible(host: HostClient): Promise<Listed[]> {
  const plugs: Listed[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({
      limit: String(limits.PLUG_LIST_MAX),
      ...(cursor !== null && { cursor }),
    })
    const page: { plugs: Listed[]; next_cursor: string | null } = await host.get(`/plugs?${query}`)
    plugs.push(...page.plugs)
    cursor = page.next_cursor
  } while (cursor !== null)
  return plugs
}
