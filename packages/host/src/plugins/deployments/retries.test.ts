import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { expect, it } from 'vitest'
import { openRetries } from './retries.ts'

it('whoever waits for a try and goes gets cancelled, so that nothing is done for nobody', async () => {
  const clock = frozenClock()
  const tried = Promise.withResolvers<boolean>()
  const retries = openRetries({ clock, limits }, () => tried.promise)
  retries.start('mail')
  const leaving = new AbortController()
  const waits = retries.settled('mail', { deadlineMs: clock.now() + 1_000, signal: leaving.signal })
  leaving.abort()
  await expect(waits).rejects.toMatchObject({ code: 'cancelled' })
  const patient = retries.settled('mail', {
    deadlineMs: clock.now() + 1_000,
    signal: new AbortController().signal,
  })
  tried.resolve(true)
  await expect(patient).resolves.toBeUndefined()
})
