import type { Clock } from '@svc/node'
import { type CommandSpec, type Failure, failure, type InstalledSpec } from '../port/runner.ts'
import type { Wait } from './installs.ts'

type Ready = CommandSpec | Failure

/** Waits for a shared install as long as this caller does; the install continues without it. */
export async function waitShared(
  install: Promise<Ready>,
  { id }: InstalledSpec,
  { deadlineMs, signal }: Wait,
  clock: Clock,
): Promise<Ready> {
  const left = Promise.withResolvers<Ready>()
  const takeBack = clock.setTimer(
    () => left.resolve(failure('plug_unavailable', `${id} is still being installed.`, { retriable: true })),
    Math.max(0, deadlineMs - clock.now()),
  )
  const leave = () => left.resolve(failure('cancelled', 'The call was cancelled.'))
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave)
  try {
    return await Promise.race([install, left.promise])
  } finally {
    takeBack()
    signal?.removeEventListener('abort', leave)
  }
}
