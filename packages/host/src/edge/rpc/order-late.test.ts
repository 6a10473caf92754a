import { rounds } from '@svc/conformance/rounds'
import { openTestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { afterEach, expect } from 'vitest'

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

const SETS = 40
/** Looks at the clock that a body of `SETS` calls takes while it is served: one between any two of its calls. */
const LOOKS = 3 * SETS
/** Of those so many are played, as far from each other as may be. */
const EVERY = Math.ceil(LOOKS / rounds(LOOKS))

verifies.each('order.effects')([['persistent' as const], ['window-state' as const]])(
  'the last of forty sets in one body stands, wherever among them the copies of the host run out: %s',
  async (storage) => {
    const frozen = frozenClock()
    let looks = 0
    let until = Number.POSITIVE_INFINITY
    const now = () => frozen.now() + (++looks > until ? limits.CACHE_STALE_MS : 0)
    const services = await openTestHost({
      storage,
      clock: { ...frozen, now },
      manifest: { host_api: { storage: ['*'] } },
    })
    close = services.close
    const { windowUuid, call, post } = await services.openWindow()
    const set = (value: number) => ({
      id: `${value}`,
      window_uuid: windowUuid,
      ns: 'storage',
      method: 'set',
      args: { key: 'k', value },
    })
    const body = JSON.stringify(Array.from({ length: SETS }, (_, value) => set(value)))
    for (let n = 0; n < LOOKS; n += EVERY) {
      await call('storage', 'set', { key: 'k', value: 'before' })
      looks = 0
      until = n
      await post(body)
      until = Number.POSITIVE_INFINITY
      expect(await call('storage', 'get', { key: 'k' })).toMatchObject({ result: { value: SETS - 1 } })
    }
  },
)
