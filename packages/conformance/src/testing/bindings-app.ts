/** The manifest of an app that uses all that the bindings of frameworks show. */
export const manifest = {
  schema: 3,
  name: 'Bindings',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main', title: 'Bindings' }],
    host_api: { storage: ['get', 'set', 'delete'], agent: { session: { auto: true } } },
  },
  required_plugs: [{ handle: 'weather' }],
}

interface ToolContext {
  readonly signal: AbortSignal
  progress(data: unknown): void
}

/** What its tools were called with: one line a call, and one where a call was aborted. */
export interface ToolLog {
  readonly lines: string[]
}

/** Its tools. `wait` ends when it is aborted, `count` tells each number as progress. */
export const createTools = ({ lines }: ToolLog) => ({
  weather: {
    forecast({ city }: Record<string, unknown>) {
      lines.push(`forecast ${city}`)
      if (city === 'Atlantis') throw new Error('no such city')
      return { city, sky: 'clear' }
    },
    async wait(_: Record<string, unknown>, { signal }: ToolContext) {
      lines.push('wait')
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      lines.push('aborted')
      throw signal.reason
    },
    count({ to }: Record<string, unknown>, { progress }: ToolContext) {
      lines.push(`count ${to}`)
      for (let n = 1; n <= Number(to); n++) progress({ n })
      return { counted: Number(to) }
    },
  },
})
