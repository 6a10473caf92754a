import type { ConfiguredPlugin } from '@svc/host'
import type { Plugin, Tool } from '@svc/plugin'
import { type Child, createInProcessRunner } from '@svc/runner/testing'
import { type PluginParts, startPluginChild } from './plugin-child.ts'
import { pluginOf, type TestTools } from './tools.ts'

/** How many calls of each tool have not returned, by `plugin.tool`. */
type Tally = Map<string, number>

/** Opens the runner of a test host, whose plugins run in this process. */
export function openTestRunner(tools: TestTools, parts: PluginParts) {
  const { clocks, limits, activity } = parts
  const plugins = new Map(Object.entries(tools).map(([name, given]) => [name, pluginOf(name, given)]))
  const children = new Map<string, Set<Child>>()
  /** Of the processes that live and whose calls are all wanted. */
  const tallies = new Set<Tally>()

  const runner = createInProcessRunner({
    clock: clocks.host,
    limits,
    start({ command }, talk, keepBytes) {
      const [name = ''] = command
      const plugin = plugins.get(name)
      if (!plugin) throw new Error(`no test gave tools of ${name}`)
      const tally: Tally = new Map()
      tallies.add(tally)
      const forget = () => tallies.delete(tally)
      const child = startPluginChild(counted(plugin, name, tally), parts, {
        talk,
        keepBytes,
        onCancel: forget,
      })
      const alive = children.get(name) ?? new Set()
      children.set(name, alive.add(child))
      void child.ended.then(() => {
        forget()
        alive.delete(child)
      })
      return child
    },
  })

  /** The plugin, which counts the calls of its tools that have not returned. */
  function counted(plugin: Plugin, name: string, tally: Tally): Plugin {
    const count = (id: string, change: number) => tally.set(id, (tally.get(id) ?? 0) + change)
    const tools = Object.entries(plugin.tools).map(([toolName, tool]): [string, Tool] => {
      const id = `${name}.${toolName}`
      const run: Tool['run'] = async (args, context) => {
        const over = activity.begin()
        count(id, 1)
        try {
          return await tool.run(args, context)
        } finally {
          count(id, -1)
          over()
        }
      }
      return [toolName, { ...tool, run }]
    })
    return { ...plugin, tools: Object.fromEntries(tools) }
  }

  return {
    runner,
    /** The plugins as a host is configured with them: the command of each is its name. */
    configured: [...plugins.keys()].map((slug): ConfiguredPlugin => ({ slug, command: [slug] })),
    /** The names of the plugins. */
    names: [...plugins.keys()],
    /** Kills the processes of a plugin; a call that one of them worked at fails. Resolves to whether there were any. */
    async kill(name: string): Promise<boolean> {
      const alive = [...(children.get(name) ?? [])]
      await Promise.all(alive.map((child) => child.kill()))
      return alive.length > 0
    },
    /** The calls that have not returned, as `plugin.tool` each. */
    get running(): readonly string[] {
      return [...tallies].flatMap((tally) =>
        [...tally].flatMap(([id, count]) => Array.from({ length: count }, () => id)),
      )
    },
  }
}

/** See `openTestRunner`. */
export type TestRunner = ReturnType<typeof openTestRunner>
