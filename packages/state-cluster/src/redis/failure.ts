import { BusError } from '@svc/state/driver'

/** How a reply of Redis begins, and what that means for who called. */
const causes: readonly (readonly [RegExp, string])[] = [
  [/^LOADING/, 'is loading its data'],
  [/^(READONLY|MASTERDOWN)/, 'is a replica, which takes no writes'],
  [/^OOM/, 'is out of memory: it holds as much as its maxmemory allows'],
  [/^MISCONF/, 'cannot write to its disk, and takes no writes until it can'],
  [/^(NOAUTH|WRONGPASS|NOPERM|ERR AUTH)/, 'does not allow this user what the bus needs'],
  [/^NOREPLICAS/, 'has fewer replicas than it must have for writes'],
  [/^(BUSY|UNKILLABLE)/, 'is busy with a script'],
  [/^(MOVED|ASK|CLUSTERDOWN|CROSSSLOT|TRYAGAIN)/, 'is part of a Redis Cluster, and not a server of its own'],
]

/** Replies after which another server may be the right one. */
const ELSEWHERE = /^(READONLY|MASTERDOWN)/

/** Whether Redis itself said this: all other errors are of the connection. */
export const isReply = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'ReplyError'

/** Whether to connect anew after this reply. */
export const isElsewhere = (error: Error): boolean => ELSEWHERE.test(error.message)

/** Returns the error of a call that Redis at `place` refused. Without its command, whose words may be a password, or data. */
export function errorOfReply(place: string, error: Error): Error {
  Reflect.deleteProperty(error, 'command')
  if (error.message.startsWith('WRONGTYPE') || error.message.includes('WRONGTYPE'))
    return new BusError('damaged', `Redis at ${place} has something else where a journal should be`, {
      cause: error,
    })
  const [, cause] = causes.find(([start]) => start.test(error.message)) ?? []
  return cause === undefined
    ? error
    : new BusError('unavailable', `Redis at ${place} ${cause}`, { cause: error })
}

/** Returns the error of a call that waited too long for Redis at `place`, and why the last attempt failed. */
export function errorOfConnection(place: string, cause: unknown): BusError {
  if (cause instanceof BusError) return cause
  if (isReply(cause)) {
    const known = errorOfReply(place, cause)
    if (known instanceof BusError) return known
  }
  const { code, message } = cause as NodeJS.ErrnoException
  return new BusError('unavailable', `Redis at ${place} cannot be reached: ${code ?? message}`, { cause })
}
