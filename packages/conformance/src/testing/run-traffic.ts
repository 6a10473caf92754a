import { setTimeout as after } from 'node:timers/promises'
import { memoryBus, systemClock } from '@svc/host'
import { openTestHost, type TestHost, type TestHostOptions, type TestWindow } from './host.ts'

/** A test host whose model answers at once, and runs of sessions in its window. Close the host. */
export interface RunTraffic {
  readonly testHost: TestHost
  readonly window: TestWindow
  /** The seqs that stand in the journals, by stream. */
  readonly written: ReadonlyMap<string, readonly number[]>
  /**
   * Runs one after the other in each of so many sessions, until it is told that this is enough. While the page is
   * behind no run begins: of more streams than it may name when it connects again the oldest are given up.
   */
  go(sessions: number, page: { isEnough(): boolean; isBehind(): boolean }): Promise<void>
}

const MANY = 1_000_000
const WORDS_MAX = 20
/** Between two runs, and between two looks at a page that is behind. */
const PAUSE_MS = 80
const host_api = { agent: { session: { auto: true } } }

/** Opens it; `random` draws how much is said. */
export async function openRunTraffic(
  random: () => number,
  limits: TestHostOptions['limits'] = {},
): Promise<RunTraffic> {
  const bus = memoryBus({ clock: systemClock })
  const testHost = await openTestHost({
    bus,
    secret: 's'.repeat(32),
    limits,
    quotas: { runs_per_day: MANY, completions_per_day: MANY, tokens_per_day: MANY * MANY },
    manifest: { host_api },
  })
  const window = await testHost.openWindow()
  const written = new Map<string, number[]>()

  async function ask<Result>(method: string, args: object): Promise<Result> {
    const answer = await window.call('agent', method, args)
    if (!answer.ok) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result as Result
  }
  async function lane({ isEnough, isBehind }: Parameters<RunTraffic['go']>[1]) {
    const created = await ask<{ app_session_uuid: string }>('session.create', { submode: 'auto' })
    const { app_session_uuid } = created
    while (!isEnough()) {
      const content = 'words '.repeat(1 + Math.floor(random() * WORDS_MAX))
      const { stream_id } = await ask<{ stream_id: string }>('session.run', { app_session_uuid, content })
      const seqs: number[] = []
      written.set(stream_id, seqs)
      for await (const { items } of bus.journal.follow(`run:${stream_id}`, 0)) {
        seqs.push(...items.map(({ seq }) => seq))
        if (items.at(-1)?.item.startsWith('{"event":"end"')) break
      }
      do await after(PAUSE_MS)
      while (isBehind())
    }
  }
  return {
    testHost,
    window,
    written,
    async go(sessions, page) {
      await Promise.all(Array.from({ length: sessions }, () => lane(page)))
    },
  }
}
