import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import type { Store } from '@svc/state'
import { memoryBus } from '@svc/state'
import { expect } from 'vitest'
import { removedId, removedUsers } from '../access/users/sign-in.ts'
import { type InstallRow, installId, installs } from '../catalog/records.ts'
import { testServices } from '../testing/services.ts'
import { openLateWrites } from './late-writes.ts'

/** A host that erased ada but for a call that goes on, and whose store answers once it is opened. */
async function open() {
  const under = testServices()
  const { clock, underWay } = under
  const gate = Promise.withResolvers<void>()
  const store: Store = {
    ...under.store,
    async get(of, id) {
      await gate.promise
      return under.store.get(of, id)
    },
  }
  const late = openLateWrites({ ...under, store, bus: memoryBus({ clock }) })
  const { leave } = underWay.enter({ userId: 'ada' }, () => new AbortController().signal)
  await under.store.insert(removedUsers, removedId('ada'), { removed_at: 0 })
  const settling = late.settle({ userId: 'ada' })
  await expect.poll(() => clock.timers).toBe(1)
  await clock.advance(limits.SHUTDOWN_MS)
  await settling
  return { clock, late, leave, store: under.store, open: gate.resolve }
}

verifies('user.erase.crowd', 'a host that closes deletes first what was written late', async () => {
  const at = await open()
  const id = installId('ada', 'app_late')
  await at.store.insert(installs, id, { user_id: 'ada', app_id: 'app_late' } as InstallRow)
  at.leave()
  const closing = at.late.close()
  await at.clock.advance(0)
  at.open()
  await closing
  expect(await at.store.get(installs, id)).toBeNull()
})

verifies('user.erase.crowd', 'a host that closes waits for no call that does not end', async () => {
  const at = await open()
  const closing = at.late.close()
  await expect.poll(() => at.clock.timers).toBe(1)
  await at.clock.advance(limits.SHUTDOWN_MS)
  await closing
})
