import { limits, publisherText } from '@svc/contract'
import type { RouteAnswer } from '@svc/contract/route-client'
import { defineCommand } from 'citty'
import { allPages } from '../../host/all-pages.ts'
import type { HostClient } from '../../host/client.ts'
import { connect, hostArgs } from '../../host/sign-in.ts'
import { print } from '../../terminal/print.ts'
import { nothingFound, searchArg } from '../../terminal/search.ts'
import { table } from '../../terminal/table.ts'
import { typed } from '../../terminal/typed.ts'

/** A plugin in a list of the host. */
type PlugEntry = RouteAnswer<'GET /plugs'>['plugs'][number]

/** `svc plug list`: the user's own plugins, and what others made public. */
export const list = defineCommand({
  args: {
    ...hostArgs,
    mine: { type: 'boolean', default: false, description: 'Only your own.' },
    search: searchArg,
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON.' },
  },
  async run({ args }) {
    const plugs = await listed(await connect(args), args)
    if (args.json) print(JSON.stringify({ ok: true, plugs }))
    else if (plugs.length === 0 && args.search !== undefined) print(nothingFound('plugin', args.search))
    else if (plugs.length === 0) print(typed('There are no plugins yet: svc plug publish makes one.'))
    else
      print(
        table(
          ['tool_id', 'name', 'version', 'visibility', 'tools', 'by', ''],
          plugs.map((plug) => [
            plug.tool_id,
            plug.name,
            plug.version,
            plug.visibility,
            plug.type === 'skill' ? 'a skill' : brief(plug.tools),
            plug.publisher ? publisherText(plug.publisher) : '',
            statusText(plug),
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
function statusText({ own, configured = false, status, problem }: PlugEntry): string {
  if (configured) return [`the host's, ${status}`, ...(problem ? [problem] : [])].join(': ')
  if (!own) return ''
  if (status === undefined) return 'yours'
  return problem ? `yours, ${status}: ${problem}` : `yours, ${status}`
}

/** All pages of the list. */
const listed = (host: HostClient, { mine, search }: { mine: boolean; search: string | undefined }) =>
  allPages(async (cursor): Promise<{ entries: PlugEntry[]; next_cursor: string | null }> => {
    const query = { search, cursor, limit: limits.PLUG_LIST_MAX }
    const { plugs: entries, next_cursor } = mine
      ? await host.ask('GET /plugs/my/tools', { query })
      : await host.ask('GET /plugs', { query })
    return { entries, next_cursor }
  })
