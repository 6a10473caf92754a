import type { ClusterFinding, Severity } from '@svc/state-cluster'

/** What a finding costs, as a person reads it; the worst first. */
const words: Readonly<Record<Severity, string>> = {
  loses: 'LOSES DATA',
  fails: 'FAILS',
  hinders: 'hinders',
}

/** Findings in lines, the worst first. */
export function sayFindings(findings: readonly ClusterFinding[]): string[] {
  const order = Object.keys(words)
  const sorted = [...findings].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  return sorted.flatMap(({ id, severity, what, why, change }) => [
    `  ${severity === 'hinders' ? '!' : '✗'} ${words[severity]}: ${what}  (${id})`,
    `      ${why}`,
    `      → ${change}`,
  ])
}
