import { refuse } from '@svc/contract'
import { update } from '@svc/state'
import type { ModelServices } from '../services.ts'
import { type AppCalls, type QuotaRow, quotaId, quotas } from './quota-row.ts'
import type { Charge, DailyQuotas, QuotaKind, QuotaUse } from './quotas.ts'

/** What quotas need of the host's services. */
export interface QuotaParts extends Pick<ModelServices, 'store' | 'clock'> {
  readonly daily: DailyQuotas
}

const DAY_MS = 86_400_000

/** The end of the day (UTC) that `now` lies in. */
const endOfDay = (now: number) => (Math.floor(now / DAY_MS) + 1) * DAY_MS

/** Charges the day's row of the user, by one swap. Errors: `quota_exceeded`. */
export async function charge({ store, clock, daily }: QuotaParts, wanted: QuotaUse): Promise<Charge> {
  const endsAt = endOfDay(clock.now())
  const id = quotaId(wanted.userId, endsAt)
  await write(store, id, (row) => {
    const now = row ?? emptyRow(wanted.userId, endsAt)
    judge(now, wanted, daily)
    return add(now, wanted, 1, wanted.tokens)
  })
  let open = true
  const close = async (calls: 0 | -1, tokens: number) => {
    if (!open) return
    open = false
    await write(store, id, (row) => row && add(row, wanted, calls, tokens))
  }
  return {
    settle: (tokens) => close(0, tokens - wanted.tokens),
    refund: () => close(-1, -wanted.tokens),
  }
}

function emptyRow(user_id: string, ends_at: number): QuotaRow {
  return { user_id, completions: 0, runs: 0, images: 0, tokens: 0, apps: [], ends_at }
}

/** In which list of the row an app's calls of a kind are counted; `null`: they are not counted by app. */
const listOf: Readonly<Record<QuotaKind, 'apps' | 'web' | null>> = {
  completions: 'apps',
  runs: 'apps',
  images: null,
  searches: 'web',
  fetches: 'web',
}

type Cap = readonly [name: string, used: number, more: number, max: number]

/** Every cap that a charge is held to, in the order in which they are reported. */
function judge(row: QuotaRow, wanted: QuotaUse, daily: DailyQuotas): void {
  const { counted, count = 1, tokens } = wanted
  const caps: readonly Cap[] = [
    ...(count === 0
      ? []
      : [[`${counted}_per_day`, row[counted] ?? 0, count, daily[`${counted}_per_day`]] as const]),
    ...(count === 0 ? [] : capsOfApp(row, wanted, daily)),
    ...(listOf[counted] === 'web'
      ? []
      : [['tokens_per_day', row.tokens, tokens, daily.tokens_per_day] as const]),
  ]
  for (const [quota, used, more, max] of caps)
    if (used + more > max) {
      const resets_at = new Date(row.ends_at).toISOString()
      throw refuse(
        'quota_exceeded',
        `${quota} is ${max}; ${used} are used or charged today, and this call may use up to ${more}`,
        { quota, max, used, wanted: more, resets_at, hint: `The quota is reset at ${resets_at}.` },
      )
    }
}

function capsOfApp(row: QuotaRow, { counted, appId, appCalls }: QuotaUse, daily: DailyQuotas): Cap[] {
  const list = listOf[counted]
  if (list === 'web')
    return [['web_calls_per_app_per_day', callsOf(row.web, appId), 1, daily.web_calls_per_app_per_day]]
  return list === null || appCalls === undefined
    ? []
    : [['max_runs_per_day', callsOf(row.apps, appId), 1, appCalls]]
}

function add(
  row: QuotaRow,
  { counted, count = 1, appId }: QuotaUse,
  calls: 1 | 0 | -1,
  tokens: number,
): QuotaRow {
  const list = count === 0 ? null : listOf[counted]
  return {
    ...row,
    [counted]: (row[counted] ?? 0) + calls * count,
    tokens: Math.max(0, row.tokens + tokens),
    ...(list !== null && { [list]: counting(row[list], appId, calls) }),
  }
}

function counting(list: AppCalls = [], appId: string, more: number): AppCalls {
  const others = list.filter(([id]) => id !== appId)
  const calls = callsOf(list, appId) + more
  return calls > 0 ? [...others, [appId, calls]] : others
}

const callsOf = (list: AppCalls = [], appId: string): number => list.find(([id]) => id === appId)?.[1] ?? 0

/** Writes by compare-and-set until it succeeds; `null` from `next` leaves everything as it is. */
async function write(
  store: ModelServices['store'],
  id: string,
  next: (row: QuotaRow | null) => QuotaRow | null,
): Promise<void> {
  await update(store, quotas, id, next)
}
