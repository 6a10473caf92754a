import type { ErrorCode } from '@svc/contract'
import type { Verdict } from '../../checks/check.ts'
import type { AppCheck, Bench } from '../bench.ts'
import type { Refusing } from '../calls.ts'
import { readPage, stateProblems } from '../page-state.ts'
import type { Stage } from '../stage.ts'
import { tryApp } from '../try-app.ts'
import { trailOf, work } from '../work.ts'

/** What a host says of a call that the user has not granted. */
const denied: Refusing = () => ({
  code: 'permission_denied',
  details: { denied_by: 'grant', hint: 'Ask the user for it.' },
})

/** Errors that a call meets on a host that works, each for the next call. */
const codes: readonly ErrorCode[] = [
  'quota_exceeded',
  'tool_failed',
  'plug_unavailable',
  'invalid_arg',
  'tool_timeout',
  'internal_error',
]

function eachInTurn(): Refusing {
  let asked = 0
  return () => ({ code: codes[asked++ % codes.length] ?? 'internal_error' })
}

/** How the app is after its calls were refused; left out where it made none. */
async function tryRefused(
  bench: Bench,
  id: string,
  { refusing, isFromStart }: { readonly refusing: Refusing; readonly isFromStart: boolean },
): Promise<Verdict> {
  let refused = 0
  const prepare = ({ calls }: Pick<Stage, 'calls'>) => isFromStart && calls.refuse(refusing)
  const options = isFromStart ? { grants: {}, prepare } : {}
  const verdict = await tryApp(bench, id, { ...options }, async (stage) => {
    const { calls, frame } = stage
    await calls.quiet()
    calls.refuse(refusing)
    await work(bench, stage)
    refused = calls.refused
    const state = await readPage(frame)
    const { startText } = trailOf(bench)
    const said = state?.text === startText ? ', and it showed nothing about it' : ''
    return {
      problems: stage.isClosed() ? [] : stateProblems(state, 'after its calls failed'),
      note: `${refused} ${refused === 1 ? 'call' : 'calls'} failed${said}`,
    }
  })
  return verdict.kind === 'held' && refused === 0 ? { kind: 'left_out', why: 'it made no calls' } : verdict
}

/** That an app goes on where the user granted nothing. */
export const deniedCheck: AppCheck = {
  id: 'app.denied',
  name: 'goes on where nothing is granted',
  hint: 'Catch permission_denied where a call is awaited, at the start too; say what is missing: details.hint names the grant.',
  run: (bench) => tryRefused(bench, 'app.denied', { refusing: denied, isFromStart: true }),
}

/** That an app goes on where each of its calls fails. */
export const errorsCheck: AppCheck = {
  id: 'app.errors',
  name: 'goes on where each call fails',
  hint: 'Catch the HostRpcError of each call, also of those that nobody awaits, and show its message and hint.',
  run: (bench) => tryRefused(bench, 'app.errors', { refusing: eachInTurn(), isFromStart: false }),
}
