import { typed } from '../terminal/typed.ts'
import type { Finding } from './lint.ts'

/** Findings for a person, each with what to do about it. */
export const findingLines = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ level, where, problem, hint }) => [
    `  ${level === 'error' ? '✗' : '!'} ${where}: ${problem}`,
    ...(hint === undefined ? [] : [`      → ${typed(hint)}`]),
  ])
