import { rounds } from '@svc/conformance/rounds'
import { openTestHost, type TestWindow } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { memoryStore } from '@svc/state'
import fc from 'fast-check'
import { afterEach, expect } from 'vitest'
import { turnedStore } from '../../testing/turned-store.ts'

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

interface Step {
  readonly ns: 'storage' | 'files'
  readonly does: 'write' | 'read' | 'delete'
  readonly of: number
}

const methodOf = ({ ns, does }: Step) =>
  ns === 'files' ? does : ({ write: 'set', read: 'get', delete: 'delete' } as const)[does]

const step = fc.record<Step>({
  ns: fc.constantFrom('storage', 'files'),
  does: fc.constantFrom('write', 'write', 'read', 'delete'),
  of: fc.nat(1),
})
const bodies = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 })

/** The envelopes of the steps, and what each is answered when all take effect in their order. */
function play(steps: readonly (readonly Step[])[], { windowUuid }: TestWindow, run: number) {
  const kept = new Map<string, string>()
  const expected = new Map<string, string>()
  const texts = steps.map((body, at) =>
    JSON.stringify(
      body.map((step, nth) => {
        const id = `${at}.${nth}`
        const name = `${run}-${step.of}`
        const place = `${step.ns} ${name}`
        const before = kept.get(place) ?? 'not_found'
        expected.set(
          id,
          step.does === 'write' ? 'ok' : step.does === 'delete' && kept.has(place) ? 'ok' : before,
        )
        if (step.does === 'write') kept.set(place, id)
        if (step.does === 'delete') kept.delete(place)
        const args =
          step.ns === 'storage'
            ? { key: name, value: id }
            : { path: name, ...(step.does === 'write' && { text: id }) }
        return { id, window_uuid: windowUuid, ns: step.ns, method: methodOf(step), args }
      }),
    ),
  )
  return { texts, expected }
}

const told = (text: string): [id: string, said: string][] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ id, ok, result, error }) => [id, ok ? (result.value ?? result.text ?? 'ok') : error.code])

verifies.each('order.effects')([['persistent' as const], ['window-state' as const]])(
  'each call of a document sees those before it and none behind it, in one body or in several: %s',
  async (storage) => {
    let scheduler: fc.Scheduler | undefined
    const services = await openTestHost({
      storage,
      secret: 's'.repeat(32),
      store: turnedStore(memoryStore(), () => scheduler),
      manifest: { host_api: { storage: ['*'], files: ['*'] } },
    })
    close = services.close
    const window = await services.openWindow()
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), bodies, async (s, steps) => {
        const { texts, expected } = play(steps, window, ++run)
        scheduler = s
        const said: [id: string, said: string][] = []
        // As the page sends quick calls: a body when the one before it is over.
        for (const text of texts) said.push(...told((await s.waitFor(window.post(text))).text))
        scheduler = undefined
        expect(Object.fromEntries(said)).toEqual(Object.fromEntries(expected))
      }),
      { numRuns: rounds(100) },
    )
  },
)
