import type { AppCheck } from '../bench.ts'
import { bounds } from '../bounds.ts'
import { readPage, stateProblems } from '../page-state.ts'
import type { Stage } from '../stage.ts'
import { tryApp } from '../try-app.ts'
import { waitFor } from '../wait-for.ts'
import { trailOf, work } from '../work.ts'

/** That an app works again when its host is back. */
export const hostGoneCheck: AppCheck = {
  id: 'app.host_gone',
  name: 'works again when its host is back',
  hint: 'Catch host_unreachable, and let the user try again: enable what was disabled, keep what was typed.',
  async run(bench) {
    return tryApp(bench, 'app.host_gone', {}, async (stage) => {
      const { calls, frame, host, window } = stage
      const trail = trailOf(bench)
      await calls.quiet()
      await host.fault.hostGone()
      await work(bench, stage)
      const gone = stateProblems(await readPage(frame), 'while the host was gone')
      await host.fault.hostBack()
      const isBack = await waitFor(() => window.evaluate((win) => win.connected), bounds.BACK_MS)
      const { begun, answered } = calls
      await work(bench, stage, () => calls.answered > answered)
      await waitFor(async () => calls.answered > answered, calls.begun > begun ? bounds.SETTLE_MS : 0)
      const isWorking = calls.answered > answered
      const none = `when the host was back, ${trail.working[0] ?? 'no step'} made no call that succeeded`
      return {
        problems: [
          ...gone,
          ...(isBack ? [] : [`it was not connected again within ${bounds.BACK_MS / 1_000} s`]),
          ...(isWorking || !trail.succeeds ? [] : [none]),
          ...stateProblems(await readPage(frame), 'when the host was back'),
        ],
        note: isWorking ? 'its calls succeeded' : 'nothing in it makes calls that succeed',
      }
    })
  },
}

/** That an app shows something and stays quick while its host is slow. */
export const slowCheck: AppCheck = {
  id: 'app.slow',
  name: 'stays usable while its host is slow',
  hint: 'Draw the page before the first call is answered, show that something is loading, and split long work.',
  async run(bench) {
    const prepare = ({ hold }: Pick<Stage, 'hold'>) => hold.shut()
    return tryApp(bench, 'app.slow', { until: 'loaded', prepare }, async (stage) => {
      const { frame, hold } = stage
      await waitFor(async () => (await readPage(frame))?.hasContent ?? false, bounds.BLANK_MS)
      const start = stateProblems(await readPage(frame), 'while the host had not answered its first calls')
      const waited = hold.waiting > 0
      hold.open()
      await stage.calls.quiet()
      hold.shut()
      await work(bench, stage, () => hold.waiting > 0)
      const isInFlight = hold.waiting > 0
      const busy = stage.isClosed() ? [] : stateProblems(await readPage(frame), 'while a call was under way')
      hold.open()
      await stage.calls.quiet()
      const done = stage.isClosed() ? [] : stateProblems(await readPage(frame), 'when the call was answered')
      const when = [...(waited ? ['at its start'] : []), ...(isInFlight ? ['at work'] : [])]
      return {
        problems: [...start, ...busy, ...done],
        note: when.length > 0 ? `calls waited ${when.join(' and ')}` : 'it made no call that could wait',
      }
    })
  },
}
