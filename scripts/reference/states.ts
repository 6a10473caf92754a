import type { Machine } from '../../packages/contract/src/index.ts'
import * as machines from '../../packages/contract/src/states/index.ts'
import { code, table } from './table.ts'

/** Every state × event table. */
export function statesPage(): string {
  const sections = Object.entries<Machine<string, string>>(machines)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, machine]) => {
      const rows = machine.states.map((state) => [
        code(state),
        ...machine.events.map((event) => machine.next(state, event) ?? ''),
      ])
      const terminal = [...machine.terminal].map(code).join(', ') || 'none'
      return `## ${name}\n\nTerminal: ${terminal}.\n\n${table(['From \\ event', ...machine.events], rows)}`
    })
  return `# States

For each state, which event leads to which state; an empty cell is a move that does not exist. These tables are the
only place where a state is decided.

${sections.join('\n\n')}`
}
