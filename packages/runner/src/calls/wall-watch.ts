import type { Cell } from '../isolation/bubblewrap.ts'
import { entryFor, type Refused, reachLine, refusalText, shown, type Told } from '../isolation/refusals.ts'
import { wallHint } from '../isolation/wall-hints.ts'
import type { Log } from '../port/log.ts'
import type { CallOutcome, CommandSpec, DescribeOutcome } from '../port/runner.ts'
import { exitWords } from '../processes/exit-words.ts'

/** What is noted of one call. */
const NOTED_MAX = 8

/** Notes what the walls of one process refuse: in the log, once for each host, and at the call that fails meanwhile. */
export function openWallWatch(
  { id, version, reach, files }: CommandSpec,
  userId: string,
  { log, told, isOwners }: { readonly log: Log; readonly told: Told; readonly isOwners: boolean },
) {
  const group = JSON.stringify([userId, id, version])
  let cell: Cell | undefined
  let refused: Refused[] = []

  return {
    /** Its walls stand, where it has some: only now they may have caused anything. */
    stand(own: Cell | undefined): void {
      cell = own
    },
    /** Takes a connection that was refused. */
    note(one: Refused): void {
      refused = [...refused.slice(1 - NOTED_MAX), one]
      const host = shown(one.name, one.port)
      const isNew = told.isNew(group, host)
      if (isNew === 'no') return
      const entry =
        one.because === 'host' || one.because === 'port' ? entryFor(one.name, one.port) : undefined
      log.warn(
        {
          plugin: id,
          version,
          event: 'plugin_refused',
          host,
          ...(entry !== undefined && { add: reachLine(reach, { hosts: [entry] }) }),
          ...(isNew === 'last' && { more: 'what it tries from now on is not told' }),
        },
        `walls refused a connection: ${refusalText(one)}`,
      )
    },
    /** See `Worker`. */
    explain<Outcome extends CallOutcome | DescribeOutcome>(outcome: Outcome): Outcome {
      const during = refused
      refused = []
      if (outcome.ok || outcome.details?.hint !== undefined) return outcome
      const walled = cell && { reach, cell, isPublished: files !== undefined, isOwners, refused: during }
      const { exit_code: exitCode, signal } = { ...outcome.details }
      const hint = (walled && wallHint(outcome, walled)) ?? exitWords(exitCode, signal)
      return hint === undefined ? outcome : { ...outcome, details: { ...outcome.details, hint } }
    },
  }
}
