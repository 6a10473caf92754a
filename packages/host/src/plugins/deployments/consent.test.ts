import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { describe, expect } from 'vitest'
import { window as windowHandlers } from '../../edge/handlers/window.ts'
import { invoke, refusalOf, scene, sessionIn, states, ways } from '../../testing/consent.ts'
import { runTools } from '../../work/sessions/session-tools.ts'
import { listTools } from './entries.ts'

/** In short runs a part of all pairs, in which each state and each way is. */
const pairs = states.flatMap(([said, enter, mayRun], at) =>
  ways.map(([name, uses, way], nth) => [at + nth, [said, name, enter, way, mayRun, uses] as const] as const),
)
const EVERY = Math.max(1, Math.floor(pairs.length / rounds(pairs.length)))
const matrix = pairs.filter(([at]) => at % EVERY === 0).map(([, row]) => row)

describe('a plugin of another, of which its user said', () => {
  verifies.each(['wall.consent', 'wall.consent.again'])(matrix)(
    '%s, by %s',
    async (_said, name, enter, way, mayRun, uses) => {
      const at = await scene()
      const app = await enter(at)
      await at.services.clock.advance(0)
      at.came.length = 0
      at.runner.called.length = 0
      const refusal = await refusalOf(way(at, app))
      await at.services.clock.advance(0)
      if (mayRun) {
        if (name !== 'a session that is fixed to it') expect(refusal).toBeNull()
        if (uses) expect(at.came).not.toEqual([])
      } else {
        expect(at.came).toEqual([])
        expect(at.runner.called).toEqual([])
        if (uses && !name.startsWith('a session, by its list'))
          expect(refusal).toMatchObject({ code: 'permission_denied', details: { denied_by: 'grant' } })
      }
    },
  )

  verifies.each('wall.consent.listed')(states.filter(([, , mayRun]) => !mayRun))(
    '%s, is listed with the reason',
    async (said, enter) => {
      const at = await scene()
      const app = await enter(at)
      const listed = await listTools(at.services, await at.context(app))
      const reason = said.startsWith('never') ? /may never run/ : /have not agreed/
      expect(listed).toMatchObject([{ status: 'unavailable', reason: expect.stringMatching(reason) }])
    },
  )

  verifies.each('wall.consent.asked')(states)(
    '%s, is asked about only where that is open',
    async (said, enter, mayRun) => {
      const at = await scene()
      const app = await enter(at)
      const asked = () => at.services.emittedOf('plug_asked').length
      await at.list(app)
      await windowHandlers.hello({}, await at.context(app))
      expect(asked()).toBe(0)
      const isOpen = !mayRun && !said.startsWith('never')
      await refusalOf(invoke(at.context(app), at.toolId))
      expect(asked()).toBe(isOpen ? 1 : 0)
      await runTools(at.services, await sessionIn(at, app))
      expect(asked()).toBe(isOpen ? 2 : 0)
      if (isOpen)
        expect(at.services.emittedOf('plug_asked')[0]).toMatchObject({
          windowUuid: app.windowUuid,
          payload: {
            app_id: at.appId,
            tool_id: at.toolId,
            author: 'eve',
            name: 'Weather',
            distribution: expect.stringContaining('npm package'),
            reach: expect.stringMatching(/^It may reach/),
          },
        })
    },
  )
})
