import { visibleLine } from '@svc/contract/visible-text'
import { typed } from '../terminal/typed.ts'
import type { Finding } from './check.ts'

/** The marks of the three verdicts. */
const marks = { held: '✓', broken: '✗', left_out: '–' } as const

/** Room for the longest name of a check. */
const NAME_CHARS = 40

/** The row of a finding as a person reads it; what is wrong, and how to fix it, comes below. */
export function rowOf({ check, verdict }: Finding): string {
  const { id, name, hint } = check
  const head = `  ${marks[verdict.kind]} ${name.padEnd(NAME_CHARS)} ${id}`
  if (verdict.kind === 'held')
    return verdict.note === undefined ? head : `${head}  (${visibleLine(verdict.note)})`
  if (verdict.kind === 'left_out') return `${head}  (not tried: ${visibleLine(verdict.why)})`
  const problems = verdict.problems.map((problem) => `      ${visibleLine(problem)}`)
  return [head, ...problems, `      → ${typed(visibleLine(verdict.hint ?? hint))}`].join('\n')
}

/** One sentence about all. */
export function sumOf(findings: readonly Finding[]): string {
  const count = (kind: keyof typeof marks) => findings.filter(({ verdict }) => verdict.kind === kind).length
  const left = count('left_out')
  const tried = findings.length - left
  return `${count('held')} of ${tried} checks hold${left > 0 ? `, ${left} not tried` : ''}`
}

/** The findings for a program. */
export function reportOf(findings: readonly Finding[]) {
  return {
    ok: findings.every(({ verdict }) => verdict.kind !== 'broken'),
    checks: findings.map(({ check: { id, name, hint }, verdict, ms }) => ({
      id,
      name,
      verdict: verdict.kind,
      ms,
      ...(verdict.kind === 'held' && verdict.note !== undefined && { note: verdict.note }),
      ...(verdict.kind === 'broken' && { problems: verdict.problems, hint: verdict.hint ?? hint }),
      ...(verdict.kind === 'left_out' && { why: verdict.why }),
    })),
  }
}
