import type { Histogram, Registry } from 'prom-client'

const MAX = 'nodejs_eventloop_lag_max_seconds'
const FIGURES = /^nodejs_eventloop_lag_.+_seconds$/

/**
 * Has a registry leave out Node's figures of the delay of the event loop where it has measured none yet, or none since
 * they were last read: they are no numbers then.
 */
export function leaveOutUnmeasured(registry: Registry): void {
  const max = registry.getSingleMetric(MAX)
  for (const { name } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name)
    if (!max || !metric || !FIGURES.test(name)) continue
    const get = async () => {
      const [told, longest] = await Promise.all([metric.get(), max.get()])
      return longest.values[0]?.value === 0 ? { ...told, values: [] } : told
    }
    registry.removeSingleMetric(name)
    // A registry asks for its name and its values, and for nothing else.
    registry.registerMetric({ name, get } as unknown as Histogram)
  }
}
