import type { RouteAnswer } from '@svc/contract/route-client'
import { newsBetween } from './gather-news.ts'
import { lengthText } from './length.ts'

/** An enrolled machine, as the host returns it. */
export type Runner = RouteAnswer<'GET /api/v1/svc-apps/runners'>['runners'][number]

type Fact = readonly [what: string, text: string]

/** What is known of a machine, each fact by its name; what is not known is left out. `now` in Unix ms. */
export function factsOf({ machine, slots, state, last_seen_at }: Runner, now: number): readonly Fact[] {
  const isOnline = state === 'online'
  const calls = `${slots.calls_busy} ${slots.calls_busy === 1 ? 'call' : 'calls'}`
  return [
    ...(machine === null ? [] : machineFacts(machine)),
    ...(isOnline ? [['Busy', `${slots.jobs_running} of ${slots.jobs} jobs, ${calls}`] as const] : []),
    ['Last seen', isOnline ? 'now' : seenText(last_seen_at, now)],
  ]
}

type Machine = NonNullable<Runner['machine']>

const machineFacts = ({ platform, node, installs, isolation }: Machine): readonly Fact[] => [
  ['Machine', `${platform}, Node ${node}`],
  ['Can install', installs.length === 0 ? 'nothing' : installs.join(', ')],
  ...(isolation === undefined ? [] : [['Isolation', isolationText(isolation)] as const]),
]

const isolationText = ({ walls, problem }: NonNullable<Machine['isolation']>): string =>
  walls ? 'plugins run isolated' : `no isolation: ${problem ?? 'the machine does not say why'}`

const seenText = (at: string | null, now: number): string =>
  at === null ? 'never (it has not connected yet)' : `${lengthText(now - Date.parse(at))} ago`

/** What a screen reader announces of machines that came, went or changed. */
export const runnerNews = (before: readonly Runner[], after: readonly Runner[]) =>
  newsBetween(before, after, ({ runner_id }) => runner_id, {
    of: ({ name, state }, old) => ((old?.state ?? 'offline') === state ? null : `${name} is ${state}`),
  })
