import { type CheckedId, type CheckedTool, svc } from '@svc/sdk'
import { createToolCall, type ToolCall } from '@svc/sdk/state'
import { useShown } from './use-shown.ts'

/**
 * Returns the state of `svc.tools.invoke` for one tool, with `call` and `cancel`. Nothing is called before `call` is. When
 * the component is unmounted, the call that runs is given up. The names are typed as those of `invoke`.
 *
 * @param tool_id the id or handle of a plugin, or that and the tool in one: `csv-stats.describe`.
 * @param method the tool of the plugin; left out: the one that `tool_id` names.
 * @example
 * ```svelte
 * const forecast = useTool<{ sky: string }>('weather', 'forecast')
 * <button onclick={() => forecast.call({ city: 'Rome' })}>{forecast.value?.sky ?? 'Ask'}</button>
 * ```
 */
export const useTool = <
  Result extends object = Record<string, unknown>,
  Id extends string = string,
  Tool extends string = string,
>(
  tool_id: CheckedId<Id>,
  method?: CheckedTool<Id, Tool>,
): ToolCall<Result, Id, Tool> => useShown(createToolCall<Result, Id, Tool>(svc, tool_id, method))
