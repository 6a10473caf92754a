import { type ErrorRow, errorBody, errors, installFaults, refuse } from '../../packages/contract/src/index.ts'
import { clientNotes, type ErrorNote, errorNotes } from './error-notes.ts'
import { code, table } from './table.ts'

type Code = keyof typeof errors

/** Every error code with its HTTP status, and a section for each, which the hints of errors lead to. */
export function errorsPage(): string {
  const rows = Object.entries<ErrorRow>(errors).map(([name, row]) => [
    linked(name),
    String(row.status),
    row.retryable ? 'yes' : '',
    row.rpcCode === undefined ? '' : String(row.rpcCode),
    row.sentence,
  ])
  return `# Errors

A failed call answers \`{id, ok: false, error: {code, message, name?, details?}}\`. Branch on the code: sentences may
change. *Retry* marks the codes where the same call may succeed later (\`details.retriable\`); *number* is
\`details.rpc_code\` of the session errors.

A \`HostRpcError\` of the client has the address of the section of its code as \`error.docs\`.

${table(['Code', 'HTTP', 'Retry', 'Number', 'What it says'], rows)}

The client and the bridge make these themselves: ${Object.keys(clientNotes).map(linked).join(', ')}.

${Object.entries(errorNotes)
  .map(([name, note]) => section(name, note, bodyOf(name as Code, note)))
  .join('\n\n')}

${Object.entries(clientNotes)
  .map(([name, note]) => section(name, note, { code: name, message: note.message, details: note.details }))
  .join('\n\n')}

## What is wrong about a distribution

Where a plugin is described, published or installed, and its author can put it right, the code is \`invalid_arg\` and
\`details.reason\` one of these. \`plug_unavailable\` is for what another try may cure.

${table(
  ['Reason', 'What it says'],
  Object.entries(installFaults).map(([name, sentence]) => [code(name), sentence]),
)}`
}

/** A heading is an anchor in small letters, here and on the docs site. */
const linked = (name: string): string => `[${code(name)}](#${name.toLowerCase()})`

const bodyOf = (name: Code, { message, details }: ErrorNote) => errorBody(refuse(name, message, details))

const section = (name: string, { when, fix }: ErrorNote, body: object): string => `## ${name}

${when}

**What to do.** ${fix}

\`\`\`json
${JSON.stringify(body, null, 2)}
\`\`\``
