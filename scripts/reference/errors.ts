import { type ErrorRow, errors, installFaults } from '../../packages/contract/src/index.ts'
import { code, table } from './table.ts'

/** Every error code with its HTTP status. */
export function errorsPage(): string {
  const rows = Object.entries<ErrorRow>(errors).map(([name, row]) => [
    code(name),
    String(row.status),
    row.retryable ? 'yes' : '',
    row.rpcCode === undefined ? '' : String(row.rpcCode),
    row.sentence,
  ])
  return `# Errors

A failed call answers \`{id, ok: false, error: {code, message, name?, details?}}\`. Branch on the code: sentences may
change. *Retry* marks the codes where the same call may succeed later (\`details.retriable\`); *number* is
\`details.rpc_code\` of the session errors.

${table(['Code', 'HTTP', 'Retry', 'Number', 'What it says'], rows)}

## What is wrong about a distribution

Where a plugin is described, published or installed, and its author can put it right, the code is \`invalid_arg\` and
\`details.reason\` one of these. \`plug_unavailable\` is for what another try may cure.

${table(
  ['Reason', 'What it says'],
  Object.entries(installFaults).map(([name, sentence]) => [code(name), sentence]),
)}`
}
