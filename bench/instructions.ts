import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { paths } from './instructions/paths.ts'
import { countedRefs } from './instructions/valgrind.ts'
import { type Result, resultOf } from './lib/result.ts'

const run = promisify(execFile)

/** The compiler has done its work by the first count; the difference to the second is the work alone. */
const COUNTS = [2_000, 6_000] as const
/** One thread, in which nothing depends on the time: V8 compiles at the same moments each time. */
const NODE = ['--predictable', '--single-threaded', '--hash-seed=1', '--random-seed=1']
const VALGRIND = [
  '--tool=cachegrind',
  '--cache-sim=no',
  '--smc-check=all-non-file',
  '--cachegrind-out-file=/dev/null',
]
/** What two runs of the same code differ by. */
const NOISE = 0.01

/**
 * How many instructions each of the small hot paths takes, counted by `valgrind`, which simulates the processor: on a busy
 * machine it is slower and counts the same.
 */
export async function benchInstructions(): Promise<Result | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  try {
    const outfile = join(folder, 'run.mjs')
    await build({
      entryPoints: [fileURLToPath(new URL('./instructions/run.ts', import.meta.url))],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    })
    const counted = async (name: string, count: number) => {
      const args = [...VALGRIND, process.execPath, ...NODE, outfile, name, String(count)]
      return countedRefs((await run('valgrind', args)).stderr)
    }
    console.log('\ninstructions of one piece of work (valgrind, less is better)')
    const figures: Record<string, number> = {}
    for (const name of Object.keys(paths)) {
      const [few, many] = [await counted(name, COUNTS[0]), await counted(name, COUNTS[1])]
      figures[name] = (many - few) / (COUNTS[1] - COUNTS[0])
      console.log(`  ${name.padEnd(40)} ${figures[name].toFixed(0).padStart(8)}`)
    }
    return resultOf({
      title: 'instructions of hot paths',
      unit: 'instructions',
      better: 'less',
      noise: NOISE,
      figures,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    console.log('this machine has no valgrind, which counts the instructions of small programs')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await benchInstructions()
