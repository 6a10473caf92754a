import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { failure } from '@svc/runner'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { RunnerLink } from '../../machines/runners.ts'
import { type OpenApp, openPluginBed, type PluginBed } from '../../testing/plugins.ts'
import { weather } from '../../testing/publishing.ts'
import { describes, handRunner } from '../../testing/runners.ts'
import { findTool, reach } from '../../work/tools/reach.ts'

const RUNS = rounds(200)

/** Content number `n` says it in both halves: in the text that is listed, and in the package that runs. */
const content = (n: number) => ({
  manifest: weather(`n${n}`),
  distribution: { type: 'npm' as const, package_name: `n${n}`, version: '1.0.0' },
})

/** What a call in a window gets: both halves, and the version; `null` where it is refused. */
async function call({ services }: PluginBed, { userId, windowUuid }: OpenApp, toolId: string) {
  const window = await services.copies.windows.get(windowUuid)
  const version = window && (await services.copies.versions.get(window.row.version_id))
  if (!version) throw new Error('the window is not there')
  const caller = { services, userId, version: version.row, window: { id: windowUuid } }
  const patience = () => ({ deadlineMs: services.clock.now(), signal: new AbortController().signal })
  try {
    const known = await reach(toolId, caller, () => null)
    const { plugin, tool } = await findTool({ plugin: toolId, tool: 'forecast' }, known, caller, patience)
    if (!('distribution' in plugin.spec) || plugin.spec.distribution.type !== 'npm') throw new Error('no npm')
    return {
      version: plugin.spec.version,
      says: tool?.description,
      runs: plugin.spec.distribution.package_name,
      status: plugin.status,
    }
  } catch {
    return null
  }
}

const step = fc.oneof(
  fc.record({ what: fc.constantFrom('edit', 'publish'), n: fc.nat(9) }),
  fc.record({ what: fc.constantFrom('yank', 'restore'), n: fc.nat(3) }),
  fc.record({
    what: fc.constantFrom('hide', 'show', 'agree', 'on', 'off', 'installed', 'failed', 'sweep', 'wait'),
    n: fc.nat(1),
  }),
)

verifies(
  ['version.pinned', 'version.live_record', 'decision.version.yanked_runs', 'tools.status.deployed'],
  'whatever is edited, published, yanked and cut meanwhile, a call gets one version whole, and nothing is deploying for ever',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
        const bed = openPluginBed()
        const { services, runners } = bed
        const toolId = await bed.publish('ada', { ...content(0), visibility: 'public' })
        const adas = await bed.app('ada', [toolId])
        const bobs = await bed.app('bob', [toolId])
        await services.apps.release('ada', adas, '1.0.0')
        const own = await bed.open('ada', adas)
        const foreign = await bed.open('bob', bobs)
        const released = await bed.open('ada', adas, '1.0.0')
        const runner = handRunner()
        const links: RunnerLink[] = []
        const connect = () => {
          if (links.length === 0) for (const user of ['ada', 'bob']) links.push(runners.connect(user, runner))
        }
        const said = (outcome: 'installed' | 'failed') => {
          const done = outcome === 'installed'
          for (const one of runner.installs.splice(0))
            one.answer(done ? { ok: true } : failure('plug_unavailable', 'no'))
          for (const one of runner.describes.splice(0)) one.answer(describes('forecast'))
        }
        const name = (n: number) => `1.0.${n}`
        const doing: Record<string, (n: number) => unknown> = {
          edit: (n) => services.publishing.edit('ada', toolId, content(n)),
          publish: (n) => services.publishing.publish('ada', toolId, content(n)),
          yank: (n) => services.publishing.mark('ada', toolId, name(n), { status: 'yanked' }),
          restore: (n) => services.publishing.mark('ada', toolId, name(n), { status: 'active' }),
          hide: () => services.publishing.edit('ada', toolId, { visibility: 'private' }),
          show: () => services.publishing.edit('ada', toolId, { visibility: 'public' }),
          on: connect,
          agree: () => bed.agree(foreign),
          off: () => links.splice(0).forEach(runners.cut),
          installed: () => said('installed'),
          failed: () => said('failed'),
          sweep: () => services.plugins.sweep(),
          wait: () => services.clock.advance(limits.DESCRIBE_RETRY_MS),
        }
        connect()
        for (const { what, n } of steps) {
          // The step and calls of all three windows at once: each call sees it done or not, and never half of it.
          const [, ...got] = await Promise.all([
            Promise.resolve(doing[what]?.(n)).catch(() => undefined),
            ...[own, foreign, released].map((window) => call(bed, window, toolId)),
          ])
          for (const one of got) if (one) expect(one.says).toBe(one.runs)
          const pinned = got[2]
          if (pinned) expect(pinned).toMatchObject({ version: '1.0.0', says: 'n0' })
          await services.clock.advance(0)
        }

        // The live record is ada's draft's, the offered version bob's, whole; what was hidden is there for ada alone.
        const { manifest, visibility } = await services.publishing.get('ada', toolId)
        const offered = (await services.publishing.versions('ada', toolId)).find(
          ({ status }) => status !== 'yanked',
        )
        links.splice(0).forEach(runners.cut)
        connect()
        await bed.agree(foreign)
        const [mine, others] = await Promise.all(
          [own, foreign, released].map((window) => call(bed, window, toolId)),
        )
        expect(mine).toMatchObject({ says: manifest.tools[0]?.description, status: 'deploying' })
        if (visibility === 'private' || !offered) expect(others).toBeNull()
        else expect(others?.version).toBe(offered.version)

        await services.clock.advance(limits.INSTALL_TIMEOUT_MS + limits.DESCRIBE_TIMEOUT_MS)
        for (const window of [own, foreign, released])
          for (const line of await bed.list(window)) expect(line).toMatch(/ unavailable$/)
        services.published.close()
        expect(services.clock.timers).toBe(0)
      }),
      { numRuns: RUNS },
    ),
)
