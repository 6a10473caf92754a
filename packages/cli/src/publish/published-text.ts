import { distributionText } from '@svc/contract'
import type { Changes, FirstContent, PublishReport } from './publish-plug.ts'

/** What a publish did, or would do, for a person. */
export function publishedText(published: PublishReport, dryRun: boolean): string {
  const { did, tool_id, version, from, changes, edited, first } = published
  const texts = edited.length > 0 ? [`  ${dryRun ? 'would edit' : 'edited'}: ${edited.join(', ')}`] : []
  if (first)
    return ['It would be published for the first time: an id is minted then.', ...rowsOf(first)].join('\n')
  if (did === 'created') return `published ${tool_id} ${version}`
  if (did === 'unchanged')
    return ['There are no content changes since it was last published.', ...texts].join('\n')
  const head = `${dryRun ? 'would publish' : 'published'} ${tool_id} ${version}, ${from === null ? 'its first version' : `after ${from}`}`
  return [head, ...(changes ? linesOf(changes) : []), ...texts].join('\n')
}

const NO_VERSION = 'none: each publish takes the next patch'

function rowsOf({ name, version, visibility, tools, distribution, asks, also }: FirstContent): string[] {
  const from = distribution ? distributionText(distribution) : 'nowhere: it is a skill'
  const rows = {
    name,
    version: version ?? NO_VERSION,
    visibility,
    tools: tools.join(', ') || 'none',
    from,
    asks,
  }
  return [
    ...Object.entries(rows).map(([key, value]) => `  + ${key.padEnd(10)} ${value}`),
    ...also.map((key) => `  + ${key}`),
  ]
}

/** The marks of a difference. */
const marks = { added: '+', removed: '-', changed: '~' } as const

function linesOf(changes: Changes): string[] {
  const rows = (['added', 'removed', 'changed'] as const).flatMap((kind) =>
    changes[kind].map((path) => `  ${marks[kind]} ${path}`),
  )
  return changes.truncated ? [...rows, '  … and more'] : rows
}
