import { type FaultRow, faultTable } from '../../packages/testing/src/faults/fault-table.ts'
import { code, table } from './table.ts'

/** Every fault of a test host. */
export function faultsPage(): string {
  const rows = Object.entries<FaultRow>(faultTable).map(([name, row]) => [
    code(`${name}(${row.args})`),
    row.does,
    row.code === null ? 'nothing' : code(row.code),
    row.heals,
  ])
  return `# Faults

What a test can let go wrong with \`host.fault\` of [@svc/testing](../guides/testing.md). *The app sees* is the code of
the error that its calls fail with.

${table(['Fault', 'What it does', 'The app sees', 'How it passes'], rows)}`
}
