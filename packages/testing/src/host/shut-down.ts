import { limits } from '@svc/contract'
import type { Host } from '@svc/host'
import type { Clocks } from '../time/test-clock.ts'
import type { TestRunner } from '../tools/test-runner.ts'

/** A host, and what it is made of. */
export interface HostParts {
  readonly host: Host
  readonly clocks: Clocks
  readonly runner: TestRunner
  /** Store, bus and blobs. */
  readonly drivers: readonly { close(): Promise<void> }[]
}

/** Closes a host whose clock stands still, and then what it is made of. */
export async function shutDown({ host, clocks, runner, drivers }: HostParts): Promise<void> {
  clocks.release()
  let isOver = false
  const closed = host.close().finally(() => {
    isOver = true
  })
  closed.catch(() => undefined)
  try {
    // A host that ends waits for what is under way, by its clock.
    while (!isOver) await clocks.test.advance(limits.SHUTDOWN_MS)
    await closed
  } finally {
    await runner.runner.close()
    await Promise.all(drivers.map((driver) => driver.close()))
  }
}
