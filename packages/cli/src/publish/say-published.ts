import type { Changes, Published } from './publish-plug.ts'

/** What a publish did, or would do, for a person. */
export function sayPublished(published: Published, dryRun: boolean): string {
  const { tool_id, version, from, changes, edited } = published
  const texts = edited.length > 0 ? [`  ${dryRun ? 'would edit' : 'edited'}: ${edited.join(', ')}`] : []
  if (from === null)
    return dryRun
      ? 'It would be published for the first time: an id is minted then.'
      : `published ${tool_id} ${version}`
  if (version === null)
    return [`There are no content changes since ${from}; no version is published.`, ...texts].join('\n')
  const head = `${dryRun ? 'would publish' : 'published'} ${tool_id} ${version} (after ${from})`
  return [head, ...(changes ? linesOf(changes) : []), ...texts].join('\n')
}

/** The marks of a difference. */
const marks = { added: '+', removed: '-', changed: '~' } as const

function linesOf(changes: Changes): string[] {
  const rows = (['added', 'removed', 'changed'] as const).flatMap((kind) =>
    changes[kind].map((path) => `  ${marks[kind]} ${path}`),
  )
  return changes.truncated ? [...rows, '  … and more'] : rows
}
