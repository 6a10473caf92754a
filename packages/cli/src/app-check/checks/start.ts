import type { AppCheck } from '../bench.ts'
import { named } from '../complaints.ts'
import { readPage, stateProblems } from '../page-state.ts'
import { tryApp } from '../try-app.ts'
import { explore } from '../work.ts'

/** That an app starts, and works without a complaint of the browser. */
export const startCheck: AppCheck = {
  id: 'app.start',
  name: 'starts, and works without an error',
  hint: 'Await svc.ready, show something, and handle each error: the console of the browser has its stack.',
  async run(bench) {
    const verdict = await tryApp(bench, 'app.start', {}, async (stage, visit) => {
      const state = await readPage(stage.frame)
      const problems = stage.isClosed() ? [] : stateProblems(state, 'after its start')
      const trail = await explore(bench, stage, visit)
      bench.trail = trail
      const { complaints } = visit
      const { working, used } = trail
      const count = (many: number, what: string) => `${many} ${what}${many === 1 ? '' : 's'}`
      const how = bench.story.steps
        ? count(used, 'step')
        : `${count(used, 'control')} used, ${working.length === 0 ? 'none' : working.join(', ')} made calls`
      return {
        problems: [
          ...problems,
          ...trail.problems,
          ...named(complaints.policy, 'refused by its policy'),
          ...named(complaints.console, 'on the console'),
        ],
        note: `${stage.openedMs} ms; ${how}`,
      }
    })
    // What never worked says nothing about faults.
    return verdict.kind === 'broken' && !bench.trail ? { ...verdict, isSilent: true } : verdict
  },
}
