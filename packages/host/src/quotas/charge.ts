import { refuse } from '@svc/contract'
import type { House } from '../house.ts'
import type { StoreRecord } from '../store/port.ts'
import { type QuotaRow, quotaId, quotas } from './quota-row.ts'
import type { Charge, DailyQuotas, Wanted } from './quotas.ts'

/** What quotas need of the house. */
export interface QuotaParts extends Pick<House, 'store' | 'clock'> {
  readonly daily: DailyQuotas
}

const DAY_MS = 86_400_000

/** The end of the day (UTC) that `now` lies in. */
const endOfDay = (now: number) => (Math.floor(now / DAY_MS) + 1) * DAY_MS

/** Charges the day's row of the user, by one swap. Errors: `quota_exceeded`. */
export async function charge({ store, clock, daily }: QuotaParts, wanted: Wanted): Promise<Charge> {
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

/** Every cap that a charge is held to, in the order in which they are told. */
function judge(row: QuotaRow, wanted: Wanted, daily: DailyQuotas): void {
  const { counted, count = 1, appId, appCalls, tokens } = wanted
  const ofApp = callsOf(row, appId)
  const caps: readonly (readonly [name: string, used: number, more: number, max: number])[] = [
    ...(count === 0
      ? []
      : [[`${counted}_per_day`, row[counted], count, daily[`${counted}_per_day`]] as const]),
    ...(appCalls === undefined || counted === 'images' || count === 0
      ? []
      : [['max_runs_per_day', ofApp, 1, appCalls] as const]),
    ['tokens_per_day', row.tokens, tokens, daily.tokens_per_day],
  ]
  for (const [quota, used, more, max] of caps)
    if (used + more > max) {
      const resets_at = new Date(row.ends_at).toISOString()
      throw refuse(
        'quota_exceeded',
        `${quota} is ${max}; ${used} are used or charged today, and this call may take ${more}`,
        { quota, max, used, wanted: more, resets_at, hint: `The quota is free again at ${resets_at}.` },
      )
    }
}

function add(
  row: QuotaRow,
  { counted, count = 1, appId }: Wanted,
  calls: 1 | 0 | -1,
  tokens: number,
): QuotaRow {
  const others = row.apps.filter(([id]) => id !== appId)
  const ofApp = callsOf(row, appId) + (counted === 'images' || count === 0 ? 0 : calls)
  return {
    ...row,
    [counted]: row[counted] + calls * count,
    tokens: Math.max(0, row.tokens + tokens),
    apps: ofApp > 0 ? [...others, [appId, ofApp]] : others,
  }
}

const callsOf = (row: QuotaRow, appId: string): number => row.apps.find(([id]) => id === appId)?.[1] ?? 0

/** Writes by compare-and-set until it holds; `null` from `next` leaves everything as it is. */
async function write(
  store: House['store'],
  id: string,
  next: (row: QuotaRow | null) => QuotaRow | null,
): Promise<void> {
  for (let old: StoreRecord<QuotaRow> | null = await store.get(quotas, id); ; ) {
    const row = next(old?.row ?? null)
    if (!row) return
    const written = old
      ? await store.swap(quotas, id, old.revision, row)
      : await store.insert(quotas, id, row)
    if (written.ok) return
    old = await store.get(quotas, id)
  }
}
