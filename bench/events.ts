import { fanOut, USER, WINDOW } from './events/fan-out.ts'
import type { Outcome } from './lib/pairs.ts'

const A_TICK = 20
const FRAMES_A_BLOCK: ReadonlyMap<number, number> = new Map([
  [1, 20_000],
  [50, 2_000],
  [500, 400],
])

/** Events to 1, 50 and 500 readers beside one `res.write` a frame and reader. */
export async function benchEvents(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [readers, frames] of FRAMES_A_BLOCK) {
    const outcome = await fanOut(({ events }) => ({
      title: `events to ${readers} readers, ${A_TICK} a tick`,
      readers,
      frames,
      aTick: A_TICK,
      send: (title) => events.emit(USER, 'title_changed', WINDOW, { title }),
      raw: (title, seq) =>
        `id: ${seq}\ndata: ${JSON.stringify({ type: 'title_changed', window_uuid: WINDOW, title })}\n\n`,
    }))
    outcomes.push(outcome)
  }
  return outcomes
}

if (import.meta.main) await benchEvents()
