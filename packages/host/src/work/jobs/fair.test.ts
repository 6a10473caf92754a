import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect } from 'vitest'
import { openJobRoom, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'

const steps = fc.array(fc.constantFrom('start', 'start', 'start', 'end', 'cancel'), { maxLength: 30 })

verifies(
  'load.fair',
  'whatever one user starts, ends and cancels, the job of another starts at once',
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (done) => {
        const room = openJobRoom()
        const ids: string[] = []
        for (const step of done) {
          if (step === 'start')
            await room.start({ userId: 'eve' }).then(
              (id) => ids.push(id),
              () => {},
            )
          if (step === 'end') room.runner.started.find((one) => !one.hasEnded())?.end(answered({}))
          const last = ids.pop()
          if (step === 'cancel' && last)
            await room.jobs.cancel({ userId: 'eve', appId: 'app_1' }, last).catch(() => {})
          else if (last) ids.push(last)
        }
        const id = await room.start({ userId: 'bob' })
        await settled()
        expect((await room.row(id)).state).toBe('running')
        expect(room.runner.of(id).hasEnded()).toBe(false)
        await room.close()
      }),
      { numRuns: 50 },
    )
  },
)
