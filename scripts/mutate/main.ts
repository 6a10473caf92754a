// `npm run mutate`: changes each rule of the walls in small ways and counts how many changes a test notices.
// `npm run mutate -- tokens judge` takes only the sources whose path holds one of these words.
import { globSync } from 'node:fs'
import { isStopped, run } from '../spawn.mjs'
import { survivors } from './survivors.ts'
import { targets } from './targets.ts'
import type { Tried } from './try-mutants.ts'

/** Of all changes, in percent. */
const SCORE_LEAST = 85
const MINUTES = 20

const words = process.argv.slice(2)
const tried: Tried[] = []
let broken = false
for (const { sources, tests } of targets)
  for (const source of globSync(sources, { exclude: ['**/*.test.ts', '**/*-for-tests.ts'] }).sort()) {
    if (isStopped() || (words.length > 0 && !words.some((word) => source.includes(word)))) continue
    const args = ['scripts/mutate/try-mutants.ts', source, ...globSync([...tests]).sort()]
    const { code, output } = await run('node', args, { capture: true, minutes: MINUTES })
    if (code !== 0) {
      console.error(output)
      broken = true
      continue
    }
    const here = output
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Tried] : []))
    tried.push(...here)
    console.log(scoreOf(here).padEnd(30), source)
    for (const one of here) if (one.survived) console.log(survivorText(one))
  }
const all = scoreOf(tried)
console.log(`\nmutants: ${all}`)
process.exitCode = broken || isStopped() || percentOf(tried) < SCORE_LEAST || tried.some(isNew) ? 1 : 0

function percentOf(mutants: readonly Tried[]): number {
  const killed = mutants.filter(({ survived }) => !survived).length
  return mutants.length === 0 ? 100 : (killed / mutants.length) * 100
}

function scoreOf(mutants: readonly Tried[]): string {
  const killed = mutants.filter(({ survived }) => !survived).length
  return `${killed} of ${mutants.length} noticed, ${percentOf(mutants).toFixed(1)} %`
}

function reasonOf({ file, code, change }: Tried): string | undefined {
  return survivors.find((one) => one.file === file && one.code === code && one.change === change)?.reason
}

function isNew(mutant: Tried): boolean {
  return mutant.survived && reasonOf(mutant) === undefined
}

function survivorText(mutant: Tried): string {
  const { file, line, code, change } = mutant
  return `  ${file}:${line}  ${change}  in  ${code}\n      ${reasonOf(mutant) ?? 'NOT LISTED: write the test that notices it, or its reason in survivors.ts'}`
}
