import type { ConfiguredPlugins } from './configured.ts'
import type { KnownPlugin, Plugins } from './plugins.ts'
import type { PublishedPlugins } from './published.ts'

/** The plugins of a host: those of the configuration first, because they are there at once. */
export function openPlugins(configured: ConfiguredPlugins, published: PublishedPlugins): Plugins {
  const isConfigured = ({ tool_id }: KnownPlugin) => configured.find(tool_id) !== undefined
  return {
    async of(seeker) {
      const found = await published.of(seeker)
      return [...configured.all(), ...found]
    },
    find: async (seeker, name) => configured.find(name) ?? published.find(seeker, name),
    isSkill: async (seeker, name) => configured.find(name) === undefined && published.isSkill(seeker, name),
    bound: async (job) => configured.find(job.tool_id) ?? published.bound(job),
    forCall: (plugin, patience) => (isConfigured(plugin) ? configured : published).forCall(plugin, patience),
    configure: configured.configure,
    ready: configured.ready,
    sweep() {
      configured.sweep()
      published.sweep()
    },
  }
}
