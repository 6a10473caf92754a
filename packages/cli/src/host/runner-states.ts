import type { RemoteEnd, RemoteState } from '@svc/runner'
import { type Failure, failure } from '../terminal/failure.ts'

/** The state of the connection between the machine and its host, in a line; `null` where there is nothing to say. */
export function stateLine(state: RemoteState, url: string): string | null {
  switch (state.state) {
    case 'connecting':
      return `connecting to ${url}`
    case 'online':
      return `online as ${state.name}; stop it with Ctrl-C`
    case 'waiting':
      return `offline: ${state.problem.replace(/\.$/, '')}; tries again in ${(state.retryInMs / 1_000).toFixed(1)} s`
    case 'ended':
      return null
  }
}

/** The ends that no further try puts right, with the exit code of each. */
const kinds = {
  unknown_token: 'token',
  wrong_key: 'token',
  unproven_key: 'token',
  wrong_name: 'host',
  displaced: 'token',
  incompatible: 'host',
  no_state: 'config',
} as const

/** What the command ends with; `null` where somebody stopped it. */
export function endFailure({ reason, message }: RemoteEnd): Failure | null {
  if (reason === 'closed') return null
  // The host's words are a sentence and what to do about it.
  const at = message.indexOf('. ')
  const [sentence, hint] = at === -1 ? [message, undefined] : [message.slice(0, at), message.slice(at + 2)]
  return failure(kinds[reason], sentence.replace(/\.$/, ''), hint)
}
