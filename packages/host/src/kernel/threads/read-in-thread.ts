import { type Limits, methodRows, refuse } from '@svc/contract'
import { copyInTurns } from '@svc/state'
import type { ArgFault, Body, BodyCaps } from '../body.ts'
import { source } from './thread-source.ts'
import type { readCallsHere, readObjectHere, ThreadBody, ThreadCalls, ThreadResult } from './thread-work.ts'
import type { Threads } from './threads.ts'

/** The names of what the thread does. */
type WorkName = keyof typeof import('./thread-work.ts')

/** What the thread runs for work of that name. */
export const workScript = (name: WorkName): string =>
  `(() => { const work = ${source}; return (given) => ({ found: work.${name}(given), transfer: [] }) })()`
const calls = workScript('readCallsHere' satisfies typeof readCallsHere.name)
const objects = workScript('readObjectHere' satisfies typeof readObjectHere.name)

type Caps = BodyCaps & Pick<Limits, 'APART_VALUES_MAX'>

/** What methods take, by `ns.method`; made with the first body, because it has the schemas of all arguments made. */
const accepted: { args?: ThreadCalls['taken'] } = {}
function acceptedArgs(): ThreadCalls['taken'] {
  accepted.args ??= Object.fromEntries(
    methodRows().map(([ns, method, { args, aliases = {}, verbatim = [] }]) => [
      `${ns}.${method}`,
      { names: [...Object.keys(args.shape), ...Object.keys(aliases)], verbatim },
    ]),
  )
  return accepted.args
}

/** Reads a body of calls as `readBody` does, in another thread. Errors: `invalid_arg`. */
export const readBodyInThread = (
  threads: Threads,
  owner: string,
  bytes: Buffer,
  limits: Caps,
): Promise<Body> => readInThread(threads, owner, calls, bytes, limits, { taken: acceptedArgs() })

/** Reads the JSON object of a route as `readObject` does, in another thread. Errors: `invalid_arg`. */
export const readObjectInThread = (
  threads: Threads,
  owner: string,
  bytes: Buffer,
  limits: Caps,
): Promise<Record<string, unknown>> => readInThread(threads, owner, objects, bytes, limits, {})

async function readInThread<Value>(
  threads: Threads,
  owner: string,
  script: string,
  bytes: Buffer,
  limits: Caps,
  more: Omit<ThreadCalls, keyof ThreadBody> | object,
): Promise<Value> {
  // The bytes may be part of more that is read.
  const copy = await copyInTurns(bytes)
  const { BODY_CONTAINERS_MAX, BODY_DEPTH_MAX, BODY_NAMES_MAX, BATCH_MAX_CALLS } = limits
  const caps: BodyCaps = { BODY_CONTAINERS_MAX, BODY_DEPTH_MAX, BODY_NAMES_MAX, BATCH_MAX_CALLS }
  const given: ThreadBody = { bytes: copy, caps, maxValues: limits.APART_VALUES_MAX, ...more }
  const found = await threads.run<ThreadResult<Value>>(owner, { script, given, transfer: [copy.buffer] })
  if ('fault' in found) throw refusalOf(found.fault)
  return found.value
}

/** The refusal that another thread found. */
export const refusalOf = ({ message, details }: ArgFault) => refuse('invalid_arg', message, details)
