import { rounds } from '@svc/conformance/rounds'
import fc from 'fast-check'
import { Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { openHistogram, registerOwn } from './own-metrics.ts'

const buckets = [0.001, 0.5, 2]

test('tells what a histogram of prom-client tells', async () => {
  const seconds = fc.oneof(fc.constantFrom(0, 0.001, 0.5, 2, 2.5), fc.double({ min: 0, max: 4, noNaN: true }))
  const observations = fc.array(fc.tuple(fc.constantFrom('window', 'tools', '?', 'a"b\\c\n'), seconds))
  await fc.assert(
    fc.asyncProperty(observations, async (observed) => {
      const [ours, theirs] = [new Registry(), new Registry()]
      const { metric, of } = openHistogram({ name: 'took', help: 'Time.', buckets })
      registerOwn(ours, metric)
      const peer = new Histogram({
        name: 'took',
        help: 'Time.',
        labelNames: ['ns'],
        buckets,
        registers: [theirs],
      })
      for (const [ns, value] of observed) {
        of({ ns })(value)
        peer.observe({ ns }, value)
      }
      expect(await ours.metrics()).toBe(await theirs.metrics())
    }),
    { numRuns: rounds(50) },
  )
})
