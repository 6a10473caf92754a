import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect } from 'vitest'
import { openJobBed, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'

const steps = fc.array(fc.constantFrom('start', 'start', 'start', 'end', 'cancel'), { maxLength: 30 })

verifies(
  'load.fair',
  'whatever one user starts, ends and cancels, the job of another starts at once',
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (done) => {
        const bed = openJobBed()
        const ids: string[] = []
        for (const step of done) {
          if (step === 'start')
            await bed.start({ userId: 'eve' }).then(
              (id) => ids.push(id),
              () => {},
            )
          if (step === 'end') bed.runner.started.find((one) => !one.hasEnded())?.end(answered({}))
          const last = ids.pop()
          if (step === 'cancel' && last)
            await bed.jobs.cancel({ userId: 'eve', appId: 'app_1' }, last).catch(() => {})
          else if (last) ids.push(last)
        }
        const id = await bed.start({ userId: 'bob' })
        await settled()
        expect((await bed.row(id)).state).toBe('running')
        expect(bed.runner.of(id).hasEnded()).toBe(false)
        await bed.close()
      }),
      { numRuns: rounds(50) },
    )
  },
)
