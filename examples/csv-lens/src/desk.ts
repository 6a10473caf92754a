import { isHostRpcError, svc } from '@svc/sdk'
import { byId } from './by-id.ts'
import { formatBytes } from './format.ts'
import { holdSize, jsonBytes } from './payload.ts'
import type { Plugin } from './plugins.ts'
import { showReport } from './show-report.ts'
import type { Source } from './take-files.ts'
import { showTrouble } from './trouble.ts'

/** What the desk works with. */
export interface DeskOptions {
  /** The plugin that the user has chosen now. */
  readonly plugin: () => Plugin
  /** Bytes of JSON that the arguments of one call may have. */
  readonly bytesMax: number
}

/** Has tables described, one at a time. */
export interface Desk {
  /** Describes a table; the one in work is given up. */
  describe(source: Source): Promise<void>
  /** Describes the latest table again, with the plugin that is chosen now. */
  again(): void
}

/** Makes the desk. */
export function createDesk({ plugin, bytesMax }: DeskOptions): Desk {
  let latest: Source | undefined
  let work: AbortController | undefined
  byId('limit').textContent = `up to ${formatBytes(bytesMax)}`
  byId('abort').onclick = () => work?.abort()

  async function describe(source: Source): Promise<void> {
    work?.abort()
    work = new AbortController()
    const { signal } = work
    latest = source
    showTrouble(byId('trouble'), null)
    byId('stopped').hidden = true
    byId('report').hidden = true
    byId('working').hidden = false
    try {
      await describeWith(plugin(), source, signal)
    } catch (error) {
      if (signal.aborted && work?.signal !== signal) return
      if (isStop(error)) byId('stopped').hidden = false
      else showTrouble(byId('trouble'), error)
    } finally {
      if (work?.signal === signal) byId('working').hidden = true
    }
  }

  async function describeWith({ handle, label }: Plugin, source: Source, signal: AbortSignal): Promise<void> {
    say(`Reading ${source.name} …`)
    // A text is never shorter as JSON, so what is too large already is not even read.
    holdSize(source.name, source.bytes, bytesMax)
    const { text: csv, encoding } = await source.text()
    signal.throwIfAborted()
    const args = { csv, name: source.name }
    holdSize(source.name, jsonBytes(args), bytesMax)
    const bytes = source.bytes || new Blob([csv]).size

    say(`${label} describes ${source.name}, ${formatBytes(bytes)} …`)
    const from = performance.now()
    const report = await svc.tools.invoke({ tool_id: handle, method: 'describe_csv', args }, { signal })
    showReport(report, { by: label, bytes, encoding, ms: performance.now() - from })
  }

  return {
    describe,
    again() {
      if (latest) void describe(latest)
    },
  }
}

const say = (text: string) => {
  byId('stage').textContent = text
}

const isStop = (error: unknown) =>
  isHostRpcError(error) ? error.code === 'cancelled' : error instanceof DOMException
