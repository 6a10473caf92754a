import { type CheckedId, type CheckedTool, svc } from '@svc/sdk'
import { createToolJob, type ToolJob } from '@svc/sdk/state'
import { useShown } from './use-shown.ts'

/**
 * Returns the state of a job of one tool, with its last progress, and `start`, `attach` and `cancel`. When the component is
 * unmounted, the job goes on at the host: keep `jobId`, and `attach` shows it again.
 *
 * @param tool_id the id or handle of a plugin, or that and the tool in one: `csv-stats.describe`.
 * @param method the tool of the plugin; left out: the one that `tool_id` names.
 * @example
 * ```ts
 * const index = useJob<Report, { percent: number }>('index', 'build')
 * await index.start({ folder: '/data' })
 * ```
 */
export const useJob = <
  Result extends object = Record<string, unknown>,
  Data = unknown,
  Id extends string = string,
  Tool extends string = string,
>(
  tool_id: CheckedId<Id>,
  method?: CheckedTool<Id, Tool>,
): ToolJob<Result, Data, Id, Tool> => useShown(createToolJob<Result, Data, Id, Tool>(svc, tool_id, method))
