import { canonicalJson } from '@svc/contract/digest'
import type { PluginDescription } from '@svc/contract/stdio'
import type { ToolsChange } from '@svc/runner'
import type { KnownPlugin } from './plugins.ts'

/** A user, and the app that he uses; `undefined`: a page of its own. */
export interface ToolsOwner {
  readonly userId: string
  readonly appId: string | undefined
}

/** Tools that a process told, and of which description they are a change. */
interface ToldTools {
  readonly pluginId: string
  readonly description: PluginDescription
}

/**
 * Keeps what processes of configured plugins told of their tools since they were described: what that of one user and app
 * told is for these alone. It may be about his account, and the app may have caused it by its calls: other apps give
 * models that text to read. `isOne`: all users of this host are one person, who develops its apps.
 */
export function openToldTools({ max, isOne }: { readonly max: number; readonly isOne: boolean }) {
  const told = new Map<string, ToldTools>()
  const keyOf = (pluginId: string, whose?: ToolsOwner) =>
    JSON.stringify([pluginId, whose?.userId ?? null, whose?.appId ?? null])

  return {
    /** Keeps a change; returns whose lists of tools are others now: of all (`undefined`), or of nobody (`null`). */
    take({ pluginId, userId, appId, description }: ToolsChange, plugin: KnownPlugin) {
      const whose: ToolsOwner | undefined = isOne || userId === undefined ? undefined : { userId, appId }
      const key = keyOf(pluginId, whose)
      const before = told.get(key)?.description ?? plugin.description
      if (before && canonicalJson(before) === canonicalJson(description)) return null
      told.delete(key)
      told.set(key, { pluginId, description })
      const [oldest] = told.keys()
      if (told.size > max && oldest !== undefined) told.delete(oldest)
      return whose
    },
    /** A plugin as this user has it in an app. */
    of(plugin: KnownPlugin, whose?: ToolsOwner): KnownPlugin {
      if (told.size === 0 || plugin.status !== 'available') return plugin
      const { tool_id } = plugin
      const one = told.get(keyOf(tool_id, whose)) ?? told.get(keyOf(tool_id))
      return one ? { ...plugin, description: one.description } : plugin
    },
    /** The plugin is another, or was described anew. */
    forget(toolId: string): void {
      for (const [key, { pluginId }] of told) if (pluginId === toolId) told.delete(key)
    },
  }
}

/** See `openToldTools`. */
export type OpenToldTools = ReturnType<typeof openToldTools>
