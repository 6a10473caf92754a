import { svc } from '@svc/sdk'

/** The two plugins that offer the same tool, by the handles under which the manifest declares them. */
const plugins = [
  { handle: 'csv-stats', label: 'Node' },
  { handle: 'csv-stats-python', label: 'Python' },
] as const

/** A plugin that the user can choose. */
export type Plugin = (typeof plugins)[number]

/** The choice of the plugin. */
export interface PluginChoice {
  readonly chosen: () => Plugin
  /** Calls `listener` whenever the user chose another. */
  onChange(listener: () => void): void
}

/** Puts the choice into `place`. A plugin that the host lists as unavailable says so; calling it tells why. */
export async function showPlugins(place: HTMLElement): Promise<PluginChoice> {
  const { tools } = await svc.tools.list()
  const inputs = plugins.map(({ handle, label }, at) => {
    const status = tools.find(({ plugin_name }) => plugin_name === handle)?.status
    const input = document.createElement('input')
    Object.assign(input, { type: 'radio', name: 'plugin', value: handle, checked: at === 0 })
    const choice = document.createElement('label')
    choice.title = status === 'available' ? handle : `${handle}: ${status ?? 'not listed'}`
    choice.append(input, label)
    place.append(choice)
    return input
  })
  return {
    chosen: () => plugins.find((_plugin, at) => inputs[at]?.checked) ?? plugins[0],
    onChange(listener) {
      for (const input of inputs) input.addEventListener('change', listener)
    },
  }
}
