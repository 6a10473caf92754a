import type { DescribeOutcome, InstallOutcome, PluginSpec, Runner } from '@svc/runner'
import type { LinkChange, RunnerLink, Runners } from '../machines/runners.ts'
import { answered } from './jobs-runner.ts'

/** A question to a runner that a test answers. */
export interface PendingQuestion<Outcome> {
  readonly plugin: PluginSpec
  readonly signal: AbortSignal | undefined
  answer(outcome: Outcome | Error): void
}

/** A runner that installs and describes when a test says so, and whose calls tell which version ran. */
export interface HandRunner extends Runner {
  readonly installs: PendingQuestion<InstallOutcome>[]
  readonly describes: PendingQuestion<DescribeOutcome>[]
  /** What calls came with. */
  readonly called: PluginSpec[]
  /** What it answers at once in place of waiting for the test. */
  auto: {
    install?: (plugin: PluginSpec) => InstallOutcome
    describe?: (plugin: PluginSpec) => DescribeOutcome
  }
}

/** A `describe` that knows these tools. */
export const describes = (...tools: string[]): DescribeOutcome => ({
  ok: true,
  description: { name: 'weather', tools: tools.map((name) => ({ name, parameters: [] })) },
})

/** Makes one. */
export function handRunner(auto: HandRunner['auto'] = {}): HandRunner {
  const asked = <Outcome>(
    list: PendingQuestion<Outcome>[],
    plugin: PluginSpec,
    signal: AbortSignal | undefined,
  ) =>
    new Promise<Outcome>((resolve, reject) => {
      const answer = (outcome: Outcome | Error) =>
        outcome instanceof Error ? reject(outcome) : resolve(outcome)
      list.push({ plugin, signal, answer })
    })
  const runner: HandRunner = {
    installs: [],
    describes: [],
    called: [],
    auto,
    install: async (plugin, { signal } = {}) =>
      runner.auto.install?.(plugin) ?? asked<InstallOutcome>(runner.installs, plugin, signal),
    describe: async (plugin, { signal } = {}) =>
      runner.auto.describe?.(plugin) ?? asked<DescribeOutcome>(runner.describes, plugin, signal),
    async call({ plugin }) {
      runner.called.push(plugin)
      return answered({ version: plugin.version })
    },
    job: async () => answered({}),
    stats: () => ({ processes: 0, busy: 0, waiting: 0, noise: 0 }),
    close: async () => {},
  }
  return runner
}

/** A runner that has everything at once. */
export const readyRunner = (...tools: string[]): HandRunner =>
  handRunner({ install: () => ({ ok: true }), describe: () => describes(...tools) })

/** Runners of users that come and go as a test says. */
export interface HandRunners extends Pick<Runners, 'online' | 'onChange' | 'refresh'> {
  connect(userId: string, runner?: Runner, id?: string): RunnerLink
  cut(link: RunnerLink): void
}

/** Makes them; nobody has any. */
export function handRunners(): HandRunners {
  const links: RunnerLink[] = []
  const listeners = new Set<(change: LinkChange) => void>()
  const tell = (link: RunnerLink, isOnline: boolean) => {
    for (const listener of listeners) listener({ userId: link.owner, link, isOnline })
  }
  let epoch = 0
  return {
    online: (userId) => links.filter(({ owner }) => owner === userId),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh: async () => {},
    connect(userId, runner = handRunner(), id = `rnr_${epoch + 1}`) {
      epoch += 1
      const link = { id, epoch, runner, since: epoch, owner: userId }
      links.push(link)
      tell(link, true)
      return link
    },
    cut(link) {
      links.splice(links.indexOf(link), 1)
      tell(link, false)
    },
  }
}
