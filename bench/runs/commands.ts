import { changes } from './changes.ts'
import { readRun, runNames } from './files.ts'
import { changeTable, runTable } from './print.ts'

const LISTED = 10

/** `npm run bench -- list`: the last ten runs. */
export async function listRuns(): Promise<void> {
  const names = (await runNames()).slice(-LISTED)
  console.log(names.length === 0 ? 'no run has written its results yet' : runTable(await readAll(names)))
}

/** `npm run bench -- compare A B`: what changed from run A to run B. Exits 1 where a row got worse beyond the noise of both. */
export async function compareRuns(words: readonly string[]): Promise<void> {
  const [wordA, wordB, ...more] = words
  if (wordA === undefined || wordB === undefined || more.length > 0)
    throw new Error(`compare takes two runs, like \`compare last~1 last\`, got ${words.length}`)
  const [a, b] = [await readRun(wordA), await readRun(wordB)]
  console.log(runTable([a, b]))
  if (a.machine.model !== b.machine.model || a.machine.cores !== b.machine.cores)
    console.log('A and B ran on different machines: only ratios and bytes compare')
  const rows = changes(a.results, b.results)
  console.log(`\n${changeTable(rows)}`)
  const worse = rows.filter(({ verdict }) => verdict === 'worse').length
  console.log(
    `\n${worse === 0 ? 'no row is worse' : `${worse} rows are worse`} beyond the noise of both runs`,
  )
  if (worse > 0) process.exitCode = 1
}

const readAll = (names: readonly string[]) => Promise.all(names.map((name) => readRun(name)))
