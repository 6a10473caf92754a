import { programs } from '../../packages/mcp/src/testing/corpus/programs.ts'
import type { ServerRow } from '../../packages/mcp/src/testing/corpus/server-row.ts'
import { servers } from '../../packages/mcp/src/testing/corpus/servers.ts'
import { table } from './table.ts'

const BEGIN = '<!-- The rows of packages/mcp/src/testing/corpus, by `npm run reference`. -->'
const END = '<!-- The end of the rows. -->'

/** A page with the table of the servers of the corpus between its two comments. Throws where it has none. */
export function withServers(page: string): string {
  const [before, after] = [page.split(BEGIN)[0], page.split(END)[1]]
  if (before === undefined || after === undefined) throw new Error(`a page has no ${BEGIN}`)
  const rows = [...servers]
    .sort((a, b) => a.name.localeCompare(b.name))
    .map((row) => [
      `${row.name} ${row.version}`,
      row.tools === 0 ? '' : String(row.tools),
      resultOf(row),
      needsOf(row),
    ])
  const languages = programs.map(({ language }) => language).join(', ')
  const listed = table(['server', 'tools', 'result', 'what it is given'], rows)
  return `${before}${BEGIN}\n\n${listed}\n\nPrograms in our own protocol that are tried in the same way: ${languages}.\n\n${END}${after}`
}

function resultOf({ needs, cannot }: ServerRow): string {
  if (cannot) return `cannot: ${cannot}`
  return needs ? `needs ${needs}` : 'works'
}

/** What a configuration of it has, in code, and what its user gives. */
function needsOf({ args = [], env = {}, reach = {}, start_ms }: ServerRow): string {
  const { hosts = [], folders = [], tcp = [] } = reach
  const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(' ')
  const named = Object.entries(env).map(([name, value]) =>
    typeof value === 'string' ? `${name}=${value}` : name,
  )
  return [
    args.length > 0 && `arguments ${code([args.join(' ')])}`,
    named.length > 0 && `\`env\` ${code(named)}`,
    hosts.length > 0 && `hosts ${code(hosts)}`,
    folders.length > 0 && `folders ${code(folders.map(({ path, access }) => `${path} (${access})`))}`,
    tcp.length > 0 && `\`tcp\` ${code(tcp)}`,
    start_ms && `\`start_ms\` ${start_ms}`,
  ]
    .filter((part) => typeof part === 'string')
    .join(', ')
}
