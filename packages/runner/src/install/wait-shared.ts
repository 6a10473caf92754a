import type { Clock } from '@svc/node'
import { type Failure, failure } from '../port/runner.ts'
import type { Wait } from './installs.ts'

/** Waits for what others wait for as well, as long as this caller does; it continues without the caller. */
export async function waitShared<Result>(
  shared: Promise<Result>,
  late: () => Failure,
  { deadlineMs, signal }: Wait,
  clock: Clock,
): Promise<Result | Failure> {
  const left = Promise.withResolvers<Failure>()
  const takeBack = clock.setTimer(() => left.resolve(late()), Math.max(0, deadlineMs - clock.now()))
  const leave = () => left.resolve(failure('cancelled', 'The call was cancelled.'))
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave)
  try {
    return await Promise.race([shared, left.promise])
  } finally {
    takeBack()
    signal?.removeEventListener('abort', leave)
  }
}
