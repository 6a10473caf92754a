import type { AppCheck, Bench } from '../bench.ts'
import { bounds } from '../bounds.ts'
import { type PageState, readPage, saysMore, stateProblems } from '../page-state.ts'
import type { Stage } from '../stage.ts'
import { tryApp } from '../try-app.ts'
import { waitFor } from '../wait-for.ts'
import { work } from '../work.ts'

/** Brings the app to work and holds what it begins; says whether something is in flight now. */
async function hold(bench: Bench, stage: Stage): Promise<boolean> {
  await stage.calls.quiet()
  stage.hold.shut()
  await work(bench, stage, () => stage.hold.waiting > 0)
  return stage.hold.waiting > 0
}

/** Lets all go on, and says what the host still has in hand when it should have nothing. */
async function leftProblems(stage: Stage): Promise<string[]> {
  stage.hold.open()
  if (await waitFor(async () => (await stage.inHand()).length === 0, bounds.SETTLE_MS)) return []
  const left = await stage.inHand()
  return [`after ${bounds.SETTLE_MS / 1_000} s the host still has in hand: ${left.join(', ')}`]
}

const AWAY_HINT =
  'Say hello with svc of @svc/sdk at each start, also where the app finds its saved state. On a busy machine run it again.'
const LEFT_HINT =
  'End what the app began: a reload or a close of its window cancels its calls, and jobs go on by themselves.'

/**
 * How long a document that was reloaded may take to connect, in ms: a busy machine was slow at the first start too. At
 * most half of what the whole check may take.
 */
const backMs = (openedMs: number): number =>
  Math.min(Math.max(bounds.START_MS, 5 * openedMs), bounds.CHECK_MS / 2)

/** The hint for the first problem of a reload; of a page that shows nothing, the check has its own. */
function reloadHint(
  isBack: boolean,
  pageProblems: readonly string[],
  left: readonly string[],
): string | undefined {
  if (!isBack) return AWAY_HINT
  return pageProblems.length === 0 && left.length > 0 ? LEFT_HINT : undefined
}

const noteOf = (isInFlight: boolean, what: string) =>
  isInFlight ? `a call was in flight when ${what}` : `no call was in flight when ${what}`

/** That an app starts again where its document is loaded anew. */
export const reloadCheck: AppCheck = {
  id: 'app.reload',
  name: 'starts again after a reload in mid-call',
  hint: 'Keep what must survive in svc.storage or as a job, and read it again at the start; a reload cancels calls.',
  async run(bench) {
    return tryApp(bench, 'app.reload', {}, async (stage) => {
      const { frame } = stage
      const isInFlight = await hold(bench, stage)
      const { hellos } = stage.calls
      // The document is gone before its answer to this comes.
      await frame.evaluate(() => location.reload()).catch(() => undefined)
      // Its hello may be in one body with its first calls, which must not wait.
      stage.hold.open()
      const mostMs = backMs(stage.openedMs)
      const isBack = await waitFor(async () => stage.calls.hellos > hellos, mostMs)
      const left = await leftProblems(stage)
      await stage.calls.quiet()
      const pageProblems = stateProblems(await readPage(frame), 'after the reload')
      const hint = reloadHint(isBack, pageProblems, left)
      return {
        problems: [
          ...(isBack ? [] : [`it did not connect within ${Math.round(mostMs / 1_000)} s after the reload`]),
          ...pageProblems,
          ...left,
        ],
        ...(hint !== undefined && { hint }),
        note: noteOf(isInFlight, 'it was reloaded'),
      }
    })
  },
}

/** What is wrong with a window that stays: its user has to read why. */
function stayProblems(before: PageState | null, after: PageState | null): string[] {
  if (!before || !after) return ['it kept its window open, and its document hangs']
  return saysMore(before.text, after.text) ? [] : ['it kept its window open, and did not say why']
}

/** That a window closes in the middle of a call. */
export const closeCheck: AppCheck = {
  id: 'app.close',
  name: 'closes in mid-call, and leaves nothing',
  hint: 'Let svc.onBeforeClose return true, or say on the page why the window should stay; begin nothing in it that nobody awaits.',
  async run(bench) {
    return tryApp(bench, 'app.close', {}, async (stage) => {
      const { frame, window, host } = stage
      const isInFlight = await hold(bench, stage)
      const uuid = await window.evaluate((win) => win.windowUuid)
      const before = await readPage(frame)
      const closed = await window.evaluate((win) => win.close('svc app check'))
      const staying = closed ? [] : stayProblems(before, await readPage(frame))
      if (!closed) await window.evaluate((win) => win.close('', { force: true }))
      const left = await leftProblems(stage)
      const windows = await host.host.windows.list(host.user)
      const isOpen = windows.some(({ window_uuid }) => window_uuid === uuid)
      return {
        problems: [...staying, ...left, ...(isOpen ? ['the host still has its window open'] : [])],
        note: `${noteOf(isInFlight, 'it was closed')}${closed ? '' : '; it asked to stay, and said why'}`,
      }
    })
  },
}
