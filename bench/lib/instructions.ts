import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

/** What `perf` counts: instructions of the program itself, without those of the kernel. */
const EVENT = 'instructions:u'

/**
 * Returns the count in what `perf stat -x,` prints: `1234,,instructions:u,…`, a line an event, among lines of other
 * kinds. Processors with two kinds of cores print a line for each, `cpu_core/instructions/u`, of which one may not be counted.
 * `null` where nothing was counted: `<not supported>`, `<not counted>`.
 */
export function countedIn(text: string): number | null {
  const counts = text
    .split('\n')
    .map((line) => line.split(','))
    .filter((fields) => fields[2]?.includes('instructions') && /^\d+$/.test(fields[0] ?? ''))
    .map(([count]) => Number(count))
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count)
}

/** Whether `perf` is here and counts instructions on this machine. */
export function countsInstructions(perf = 'perf'): boolean {
  try {
    const args = ['stat', '-x,', '-e', EVENT, '-o', '/dev/stdout', 'true']
    return (
      countedIn(execFileSync(perf, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })) !== null
    )
  } catch {
    return false
  }
}

/**
 * Counts the instructions of process `pid` while `work` runs. `perf` acknowledges that it counts before the work
 * begins. `null` where it counted nothing.
 */
export async function countWhile(
  pid: number,
  work: () => Promise<unknown>,
  perf = 'perf',
): Promise<number | null> {
  const args = ['stat', '-x,', '-e', EVENT, '-p', String(pid), '-D', '-1', '--control', 'fd:3,4']
  const counter = spawn(perf, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
  const [, , stderr, control, answers] = counter.stdio as unknown as [
    null,
    null,
    Readable,
    Writable,
    Readable,
  ]
  const printed: Buffer[] = []
  stderr.on('data', (chunk) => printed.push(chunk))
  const closed = once(counter, 'close')
  control.on('error', () => {})
  control.write('enable\n')
  await Promise.race([once(answers, 'data'), closed])
  await work()
  counter.kill('SIGINT')
  await closed
  return countedIn(Buffer.concat(printed).toString())
}
