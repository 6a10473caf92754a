import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { openAsks } from './asks.ts'

verifies(
  'link.held',
  'a machine that asks without end and reads nothing leaves no more than so much unread',
  async () => {
    let waitingBytes = 0
    const asks = openAsks(
      { samplingToken: 'smp_1', onRequest: async () => ({ result: {} }) },
      {
        limits,
        waitingBytes: () => waitingBytes,
        send(_message, body) {
          waitingBytes += body?.length ?? 0
          return { drop: () => false }
        },
      },
    )
    const ask = Buffer.from('{}')
    for (let id = 0; id < 100_000; id++) asks.take(id, 'llm/complete', ask)
    await new Promise(setImmediate)
    const full = waitingBytes
    expect(full).toBeGreaterThan(limits.LINK_QUEUE_MAX_BYTES)
    expect(full).toBeLessThan(limits.LINK_QUEUE_MAX_BYTES + 1_000)
    asks.refuse(1)
    asks.take(2, 'llm/complete', ask)
    await new Promise(setImmediate)
    expect(waitingBytes).toBe(full)
    asks.close()
  },
)
