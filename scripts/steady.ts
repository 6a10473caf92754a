// `npm run steady`: the tests of bounds on the real clock, each file alone beside two busy processes.
// `npm run steady -- --times 30 FILE…` runs the files that are named, so many times.
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { isStopped, run } from './spawn.mjs'

const BURNERS = 2
const MINUTES = 10
/** What a process does that only burns, until whoever started it is gone. */
const BURN = 'const parent = process.ppid; while (process.ppid === parent) for (let n = 0; n < 1e8; n += 1);'

const { times, named } = readArguments()
const files = named.length > 0 ? named : testsOfBounds()
const burners = Array.from({ length: BURNERS }, () => spawn(process.execPath, ['-e', BURN]))
const lines: string[] = []
try {
  for (const file of files) {
    const result = await failuresOf(file, times)
    lines.push(result)
    console.log(result)
  }
} finally {
  for (const burner of burners) burner.kill('SIGKILL')
}
const unsteady = lines.filter((line) => line.startsWith('✗'))
console.log(`\n${unsteady.join('\n')}\nsteady: ${lines.length - unsteady.length} of ${lines.length} files`)
process.exitCode = unsteady.length > 0 || isStopped() ? 1 : 0

function readArguments(): { readonly times: number; readonly named: readonly string[] } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    // Else a number below 0 is an error of two lines with a stack.
    strict: false,
    options: { times: { type: 'string', default: '1' } },
  })
  const strange = Object.keys(values).find((name) => name !== 'times')
  if (strange !== undefined) fail(`there is no option --${strange}; the only one is --times`)
  const given = String(values.times)
  if (!/^[1-9]\d{0,3}$/.test(given)) fail(`--times must be a whole number from 1 to 9999, got ${given}`)
  return { times: Number(given), named: positionals }
}

function fail(sentence: string): never {
  console.error(`svc: ${sentence}`)
  process.exit(1)
}

/** Every file of faults, and every other one that reads a clock of real time. */
function testsOfBounds(): string[] {
  return globSync('{packages,scripts,examples}/**/*.test.ts', { exclude: (name) => name === 'node_modules' })
    .filter(
      (file) =>
        file.endsWith('.faults.test.ts') ||
        /performance\.now\(|[cC]puUsage\(/.test(readFileSync(file, 'utf8')),
    )
    .sort()
}

async function failuresOf(file: string, times: number): Promise<string> {
  const from = performance.now()
  let failed = 0
  for (let time = 0; time < times && !isStopped(); time += 1) {
    const { code, output } = await run('vitest', ['run', path.resolve(file)], {
      capture: true,
      minutes: MINUTES,
    })
    if (code === 0) continue
    failed += 1
    console.log(output)
  }
  const seconds = ((performance.now() - from) / 1_000 / times).toFixed(1)
  return `${failed === 0 ? '✓' : '✗'} ${file}: failed ${failed} of ${times}, ${seconds} s each`
}
