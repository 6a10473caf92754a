import type { Client, ToolEntry } from '@svc/contract/client'
import type { EventHub } from './events.ts'

/** Gets the list of tools after it changed. */
export type ToolsChanged = (tools: ToolEntry[]) => void

/**
 * Lists the tools again at each `tools.changed` and each reset. What comes while they are listed leads to one more
 * listing. A listing that fails and a listener that throws are the document's uncaught errors. Returns how to
 * unsubscribe; nothing is delivered after that.
 */
export function onToolsChanged(
  { list }: Pick<Client['tools'], 'list'>,
  on: EventHub['on'],
  listener: ToolsChanged,
): () => void {
  let stopped = false
  let listing = false
  let again = false

  async function listOnce(): Promise<void> {
    try {
      const { tools } = await list()
      if (!stopped) listener(tools)
    } catch (error) {
      if (!stopped) reportError(error)
    }
  }

  async function changed(): Promise<void> {
    again = true
    if (listing) return
    listing = true
    while (again && !stopped) {
      again = false
      await listOnce()
    }
    listing = false
  }

  const stops = [on('tools.changed', changed), on('reset', changed)]
  return () => {
    stopped = true
    for (const stop of stops) stop()
  }
}
