import { type CheckedId, type CheckedTool, svc } from '@svc/sdk'
import { createToolJob, type ToolJob } from '@svc/sdk/state'
import { useShown } from './use-shown.ts'

/**
 * Returns the state of a job of one tool, with its last progress, and `start`, `attach` and `cancel`. An unmount leaves the
 * job to the host: keep `jobId`, and `attach` goes on with it. The names are typed as those of `invokeAsync`.
 *
 * @param tool_id the id or handle of a plugin, or that and the tool in one: `csv-stats.describe`.
 * @param method the tool of the plugin; left out: the one that `tool_id` names.
 * @example
 * ```tsx
 * const { state, progress, value, start, cancel } = useJob<Report, { percent: number }>('index', 'build')
 * if (state === 'running') return <button onClick={() => cancel()}>Stop at {progress?.data.percent} %</button>
 * return <button onClick={() => start({ folder: '/data' })}>{value ? value.files : 'Start'}</button>
 * ```
 */
export function useJob<
  Result extends object = Record<string, unknown>,
  Data = unknown,
  Id extends string = string,
  Tool extends string = string,
>(tool_id: CheckedId<Id>, method?: CheckedTool<Id, Tool>): ToolJob<Result, Data, Id, Tool> {
  return useShown(() => createToolJob<Result, Data, Id, Tool>(svc, tool_id, method), [tool_id, method])
}
