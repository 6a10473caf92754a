import { lengthText } from '../desk/length.ts'

/** An enrolled machine, as the host tells it. Times are ISO 8601. */
export interface Runner {
  readonly runner_id: string
  readonly name: string
  readonly state: 'online' | 'offline'
  /** What it told of itself; `null` until it has connected. */
  readonly machine: {
    readonly platform: string
    readonly node: string
    readonly installs: readonly string[]
  } | null
  readonly slots: { readonly jobs: number; readonly jobs_running: number; readonly calls_busy: number }
  readonly created_at: string
  readonly last_seen_at: string | null
}

/** What a machine is: `linux-x64, Node v24.1.0`. */
export const machineText = ({ machine }: Pick<Runner, 'machine'>): string =>
  machine === null ? 'has not connected yet' : `${machine.platform}, Node ${machine.node}`

/** What it can install. */
export function installsText({ machine }: Pick<Runner, 'machine'>): string {
  if (machine === null) return 'not known before it connects'
  return machine.installs.length === 0 ? 'nothing' : machine.installs.join(', ')
}

/** How busy it is: `1 of 3 jobs, 2 calls`. */
export function slotsText({ slots, state }: Pick<Runner, 'slots' | 'state'>): string {
  if (state === 'offline') return 'none while it is offline'
  const calls = `${slots.calls_busy} ${slots.calls_busy === 1 ? 'call' : 'calls'}`
  return `${slots.jobs_running} of ${slots.jobs} jobs, ${calls}`
}

/** When it was there last; `now` in Unix ms. */
export function seenText(
  { state, last_seen_at }: Pick<Runner, 'state' | 'last_seen_at'>,
  now: number,
): string {
  if (state === 'online') return 'now'
  if (last_seen_at === null) return 'never'
  return `${lengthText(now - Date.parse(last_seen_at))} ago`
}

/** What a screen reader is told of machines that came, went or changed, by their id. */
export function runnerNews(before: readonly Runner[], after: readonly Runner[]): ReadonlyMap<string, string> {
  const known = new Map(before.map((one) => [one.runner_id, one.state]))
  return new Map(
    after
      .filter(({ runner_id, state }) => (known.get(runner_id) ?? 'offline') !== state)
      .map(({ runner_id, name, state }) => [runner_id, `${name} is ${state}`]),
  )
}
