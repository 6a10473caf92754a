/**
 * A host with a machine of ada's, in a process of its own. It prints `ready`; for the path of a file it has the plugin on
 * the machine answer with the value in it and prints `answered-<n> <JSON>`; `close` ends it.
 */
import { createInterface } from 'node:readline'
import { limits } from '@svc/contract'
import { openRemoteBed } from './remote.ts'
import { openTurnMeter, readFigures, type TurnFigures } from './turn-meter.ts'

/** What came of one answer. */
export interface LinkHostAnswer extends TurnFigures {
  readonly ok: boolean
}

const bed = await openRemoteBed()
await bed.start().line('online-1')
// The first loads what the others need.
await bed.call('big', { chars: limits.SYNC_PAYLOAD_MAX_BYTES / 2 })
const meter = openTurnMeter()
let answered = 0
console.log('ready {}')
for await (const file of createInterface({ input: process.stdin })) {
  if (file === 'close') break
  meter.longestMs()
  const { ok } = await bed.call('file', { file })
  const answer: LinkHostAnswer = { ok, ...readFigures(meter) }
  answered += 1
  console.log(`answered-${answered}`, JSON.stringify(answer))
}
meter.close()
await bed.close()
process.stdin.destroy()
