import { aligned } from '../lib/aligned.ts'
import type { Change } from './changes.ts'
import type { Run } from './run.ts'

/** Returns a table of runs, the last one below: what was run, on which commit, how busy the machine was. */
export function runTable(runs: readonly Run[]): string {
  const rows = runs.map(({ name, commit, isClean, machine, load, measurements, results }) => [
    name,
    isClean ? commit : `${commit} and changes`,
    `${machine.cores} cores, load ${load.start.toFixed(1)} to ${load.end.toFixed(1)}`,
    `${results.length === 1 ? '1 table' : `${results.length} tables`}${doNotCount(results.filter(({ counts }) => !counts).length)}`,
    measurements.join(' '),
  ])
  return aligned([['run', 'commit', 'machine', 'results', 'measurements'], ...rows])
}

const doNotCount = (count: number) =>
  count === 0 ? '' : `, ${count} of which ${count === 1 ? 'does' : 'do'} not count`

/** Returns a table of what changed between two runs, table by table, with a mark at each row that got worse. */
export function changeTable(rows: readonly Change[]): string {
  const cells = rows.map(({ title, name, of, a, b, change, verdict }, at) => [
    rows[at - 1]?.title === title ? '' : title,
    of === 'instructions' ? `${name}, instructions` : name,
    numberOf(a?.median),
    numberOf(b?.median),
    change === null ? '' : `${change >= 1 ? '+' : '−'}${Math.abs((change - 1) * 100).toFixed(1)} %`,
    verdict === 'worse' ? '! worse' : verdict,
  ])
  return aligned([['', '', 'A', 'B', 'change', ''], ...cells])
}

function numberOf(value: number | undefined): string {
  if (value === undefined) return '–'
  return value >= 1_000 ? value.toFixed(0) : value.toPrecision(4)
}
