import type { AppCheck } from '../bench.ts'
import { named } from '../complaints.ts'
import { walkByTab } from '../tab-walk.ts'
import { tryApp } from '../try-app.ts'
import { work } from '../work.ts'

/** That an app can be used by keyboard, and by screen readers. */
export const keyboardCheck: AppCheck = {
  id: 'app.keyboard',
  name: 'works by keyboard and screen reader',
  hint: 'Use button, a and input in place of div; leave :focus-visible its outline; give each control a label.',
  async run(bench) {
    const { axe } = bench
    return tryApp(bench, 'app.keyboard', {}, async (stage) => {
      const { frame } = stage
      // What its first calls enable is reached by Tab as well.
      await stage.calls.quiet()
      const { problems, stops, untried } = await walkByTab(stage)
      const start = axe ? await axe(frame, 'others') : []
      await work(bench, stage)
      const working = axe && !stage.isClosed() ? await axe(frame, 'others') : []
      const unnamed = [...new Set([...start, ...working])]
      return {
        problems: [...problems, ...named(unnamed, 'for screen readers')],
        note: [
          `${stops} ${stops === 1 ? 'control' : 'controls'} by Tab`,
          ...(untried === 0 ? [] : [`${untried} more were not tried`]),
          ...(axe ? [] : ['names were not looked at: axe-core is not installed']),
        ].join('; '),
      }
    })
  },
}
