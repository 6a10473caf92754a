import { type ErrorRow, errors } from '../../packages/contract/src/index.ts'
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

${table(['Code', 'HTTP', 'Retry', 'Number', 'What it says'], rows)}`
}
