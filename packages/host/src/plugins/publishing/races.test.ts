import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { compareSemver, limits, Refusal } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { memoryStore } from '@svc/state'
import fc from 'fast-check'
import { expect } from 'vitest'
import { named, publishingBed, tool, weather } from '../../testing/publishing.ts'
import { turnedStore } from '../../testing/turned-store.ts'

const RUNS = rounds(500)

/** Two hosts over one store and one clock. */
function openHosts(s: fc.Scheduler) {
  const clock = frozenClock()
  const base = memoryStore()
  const still = publishingBed({ clock, store: base, host: 3 }).publishing
  const hosts = [1, 2].map(
    (host) => publishingBed({ clock, store: turnedStore(base, () => s), host }).publishing,
  )
  return { clock, still, hosts }
}

/** How an attempt ended: `ok`, or the code of its refusal. */
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => {
      if (error instanceof Refusal) return error.code
      throw error
    },
  )

verifies(
  ['decision.draft.once', 'decision.draft.expired'],
  'commits, removals and sweeps of one draft on two hosts make one plugin or none',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.constantFrom(0, limits.DRAFT_LIFETIME_MS - 1, limits.DRAFT_LIFETIME_MS),
        fc.array(fc.record({ host: fc.nat(1), what: fc.constantFrom('commit', 'remove', 'sweep') }), {
          minLength: 2,
          maxLength: 6,
        }),
        async (s, ms, steps) => {
          const { clock, hosts, still } = openHosts(s)
          const { draft_id, tool_id } = await still.mint('ada', named)
          await clock.advance(ms)
          const done = steps.map(({ host, what }) => {
            const publishing = hosts[host] ?? still
            if (what === 'sweep') return publishing.sweep().then(() => ['sweep', 'ok'])
            const work =
              what === 'commit'
                ? publishing.commit('ada', draft_id, { ...tool, visibility: 'public' })
                : publishing.remove('ada', tool_id)
            return outcome(work).then((told) => [what, told])
          })
          await s.waitFor(Promise.all(done))
          const told = await Promise.all(done)
          const commits = told.filter(([what]) => what === 'commit').map(([, code]) => code)
          // A commit whose plugin was removed before it was shown reads not_found; it made it all the same.
          const made = commits.filter((code) => code === 'ok' || code === 'not_found').length
          if (ms === limits.DRAFT_LIFETIME_MS)
            expect(new Set(commits)).toEqual(new Set(commits.map(() => 'draft_expired')))
          else expect([commits, made]).toEqual([commits, Math.min(1, commits.length)])
          const removed = told.filter(([what, code]) => what === 'remove' && code === 'ok').length
          const left = (await still.own('ada')).plugs.length
          expect(left).toBe(ms === limits.DRAFT_LIFETIME_MS ? 0 : made - removed)
          // Whatever was lost on the way, nobody makes a second one.
          expect(await outcome(still.commit('ada', draft_id, tool))).toBe(
            made > 0 ? 'conflict' : ms === limits.DRAFT_LIFETIME_MS ? 'draft_expired' : 'ok',
          )
        },
      ),
      { numRuns: RUNS },
    ),
)

verifies(
  'decision.version.one_wins',
  'publishes on two hosts make a line of versions, none of them lost',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.constantFrom('private', 'public'),
        fc.array(
          fc.record({
            host: fc.nat(1),
            text: fc.constantFrom('A.', 'B.', 'C.'),
            version: fc.constantFrom(undefined, '1.0.1', '2.0.0'),
            edits: fc.boolean(),
          }),
          { minLength: 2, maxLength: 5 },
        ),
        async (s, visibility, steps) => {
          const { hosts, still } = openHosts(s)
          const { tool_id } = await still.create('ada', { ...named, ...tool, visibility })
          const first = (await still.versions('ada', tool_id)).length
          const done = steps.map(({ host, text, version, edits }) => {
            const publishing = hosts[host] ?? still
            const manifest = weather(text, version)
            return outcome(
              edits
                ? publishing.edit('ada', tool_id, { readme: text, visibility: 'public' }).then(() => {
                    throw new Refusal('cancelled')
                  })
                : publishing.publish('ada', tool_id, { manifest }),
            )
          })
          await s.waitFor(Promise.all(done))
          const told = await Promise.all(done)
          for (const code of told)
            expect(['ok', 'conflict', 'no_content_changes', 'invalid_arg', 'cancelled']).toContain(code)
          const line = (await still.versions('ada', tool_id)).map(({ version }) => version)
          const promoted = first === 0 && told.includes('cancelled') ? [0, 1] : [0]
          expect(promoted).toContain(line.length - first - told.filter((code) => code === 'ok').length)
          for (const [at, version] of line.slice(1).entries())
            expect(compareSemver(version, line[at] ?? '')).toBeLessThan(0)
          if (told.every((code) => code === 'ok' || code === 'conflict') && told.includes('ok'))
            expect((await still.get('ada', tool_id)).version).toBe(line[0])
        },
      ),
      { numRuns: RUNS },
    ),
)

verifies('decision.version.one_wins', 'of two that publish the same at once one wins', () =>
  fc.assert(
    fc.asyncProperty(fc.scheduler(), async (s) => {
      const { hosts, still } = openHosts(s)
      const { tool_id } = await still.create('ada', { ...named, ...tool, visibility: 'public' })
      const done = hosts.map((host) =>
        outcome(host.publish('ada', tool_id, { manifest: weather('Better.') })),
      )
      await s.waitFor(Promise.all(done))
      const told = (await Promise.all(done)).sort()
      expect([
        ['conflict', 'ok'],
        ['no_content_changes', 'ok'],
      ]).toContainEqual(told)
      expect((await still.versions('ada', tool_id)).map(({ version }) => version)).toEqual(['1.0.1', '1.0.0'])
      expect((await still.get('ada', tool_id)).version).toBe('1.0.1')
    }),
    { numRuns: RUNS },
  ),
)
