// `npm run mutate`: changes each rule of the walls in small ways and counts how many changes a test notices.
// `npm run mutate -- tokens judge` takes only the sources whose path holds one of these words.
import { globSync, readFileSync } from 'node:fs'
import { isStopped, run } from '../spawn.mjs'
import { targets } from './targets.ts'
import type { Tried } from './try-mutants.ts'
import { faultsOf, reasonOf, scoreOf } from './verdict.ts'

const MINUTES = 20

const words = process.argv.slice(2)
const tried: Tried[] = []
const sources: string[] = []
const texts = new Map<string, string>()
let broken = false
for (const { sources: glob, tests } of targets)
  for (const source of globSync(glob, { exclude: ['**/*.test.ts', '**/testing/**'] }).sort()) {
    texts.set(source, readFileSync(source, 'utf8'))
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
    sources.push(source)
    console.log(scoreOf(here).padEnd(30), source)
    for (const one of here) if (one.survived) console.log(survivorText(one))
  }
const faults = faultsOf({ tried, sources, texts })
console.log(`\nmutants: ${scoreOf(tried)}`)
for (const fault of faults) console.log(`  ✗ ${fault}`)
process.exitCode = broken || isStopped() || faults.length > 0 ? 1 : 0

function survivorText(mutant: Tried): string {
  const { file, line, code, change } = mutant
  return `  ${file}:${line}  ${change}  in  ${code}\n      ${reasonOf(mutant) ?? 'NOT LISTED: write the test that notices it, or its reason in scripts/mutate/survivors'}`
}
