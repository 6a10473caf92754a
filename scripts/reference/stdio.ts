import { errorRow, type Limits, limits, methods, subcallParams } from '../../packages/contract/src/index.ts'
import { routes } from '../../packages/contract/src/routes/index.ts'
import {
  type CallFailureCode,
  NOT_TAKEN,
  REFUSED,
  type SubcallMethod,
  type SubcallRow,
  sessionNeeds,
  subcalls,
} from '../../packages/contract/src/wire/stdio.ts'
import { readInterface } from './interfaces.ts'
import { jsonSchema } from './json-schema.ts'
import { inWords } from './limits.ts'
import { argsTable } from './methods.ts'
import { type Schema, typeText } from './schema.ts'
import { code, grouped, table } from './table.ts'

const SOURCE = 'packages/contract/src/wire/stdio.ts'

/** The messages and their parts, in the order in which a plugin meets them. */
const messages = [
  'DescribeRequest',
  'PluginDescription',
  'ToolDescription',
  'ToolParameter',
  'CallRequest',
  'CallContext',
  'CancelNotification',
  'ProgressNotification',
  'ToolsChangedNotification',
  'ReverseRequest',
]

/** How a call ends, by what its plugin does. */
const endings: readonly (readonly [when: string, code: CallFailureCode, details: string])[] = [
  ['it cannot be started, or answers something that is no reply', 'plug_unavailable', ''],
  ['it answers a JSON-RPC `error`', 'plug_error', 'its code'],
  ['its process ends before it answers', 'plug_error', 'exit code and signal'],
  ['it answers `{success: false, error}` as its result', 'tool_failed', 'its error'],
  ['it does not answer before the deadline', 'tool_timeout', ''],
  ['what stands under `output` is over its cap', 'result_too_large', '`size`, `max`'],
  ['it writes a line over the cap of the wire', 'frame_too_large', '`frame_bytes`, `max_frame_bytes`'],
  ['it passes on that a request of its own took too long', 'subcall_timeout', '`subcall`'],
]

const sizes: readonly (readonly [limit: keyof Limits, what: string])[] = [
  ['LINE_MAX_BYTES', 'one line, either way'],
  ['DESCRIBE_TIMEOUT_MS', 'the time for an answer to `describe`'],
  ['DESCRIBE_TOOLS_MAX', 'tools in one description'],
  ['DESCRIBE_PARAMETERS_MAX', 'parameters of one tool'],
  ['INPUT_SCHEMA_MAX_BYTES', 'one `input_schema` as JSON'],
  ['OUTPUT_SCHEMA_MAX_BYTES', 'one `output_schema` as JSON'],
  ['SYNC_PAYLOAD_MAX_BYTES', 'the arguments, and the `output`, of a call that is waited for'],
  ['ASYNC_ARGS_MAX_BYTES', 'the arguments of a job'],
  ['ASYNC_RESULT_MAX_BYTES', 'the `output` of a job'],
  ['RESULT_DEPTH_MAX', 'the levels of an `output`'],
  ['PROGRESS_MAX_BYTES', 'the data of one progress'],
  ['PROGRESS_PER_SECOND', 'progress of a job that is taken in a second'],
  ['CANCEL_KILL_MS', 'from `cancel` to the end of the process and all that it started'],
  ['SUBCALLS_PER_CALL', 'requests of one call under way'],
  ['SUBCALL_LINE_MAX_BYTES', 'the line of one request'],
  ['SUBCALL_VALUES_MAX', 'its values and names'],
  ['SUBCALL_ANSWER_MAX_BYTES', 'its answer'],
  ['SUBCALL_TIMEOUT_MS', 'the time of `host/uploadFile`; every request ends with its call, too'],
]

const answers: Readonly<Record<SubcallMethod, string>> = {
  'host/uploadFile': resultText(methods.upload.inline.result),
  'llm/complete': resultText(methods.llm.complete.result),
  'agent/session.create': resultText(routes['sessions.fromSampling'].answer),
  'agent/session.run': membersText('PluginRun'),
  'agent/session.cancel': resultText(methods.agent['session.cancel'].result),
  'agent/session.delete': resultText(methods.agent['session.delete'].result),
}

/** The wire between a runner and a plugin. */
export function stdioPage(): string {
  return `# The stdio wire

A plugin is a process that reads requests on stdin and writes replies on stdout: JSON-RPC 2.0, one JSON object a line, in
UTF-8. A line ends at the byte 0x0A and nowhere else. The process stays alive until its stdin ends. What it writes to
stdout that is not JSON is counted, logged and passed over, unless it is meant as the answer that is waited for: then the
call fails at once, and says what is wrong. stderr is its log. It has one call at a time. An id (\`LineId\`) is text or a number and comes back as it was sent: \`1\` and \`"1"\` are two.

${messages.map(messagePart).join('\n\n')}

## The answer to a call

\`{"jsonrpc": "2.0", "id": …, "result": {"output": …}}\`. What stands under \`output\` is the payload, whatever it holds: an
object is given on as it is, nothing or null as \`{}\`, anything else as \`{"value": …}\`.

${table(
  ['The call fails where the plugin does this', 'Code', 'Details'],
  endings.map(([when, name, details]) => [when, code(name), details]),
)}

A call that a warm process did not begin with goes to another process: it ended or closed its stdin before it read
the call, or answers with an error whose \`data.name\` is \`${NOT_TAKEN}\`. A process that was started for the call has the
last word.

Without a runner that has the plugin the code is \`agent_unavailable\`: ${errorRow('agent_unavailable').sentence}

## Sizes and times

${table(['Limit', 'Value', 'That is', 'Of what'], sizes.map(sizeRow))}

## Requests of a plugin

Within a call a plugin may ask the host, with the \`sampling_token\` of \`params.context\` among the \`params\` of its request.
It gets a token if its description lists any \`host_capabilities\`. Each request takes a capability, and whatever its app may
not do is refused to the plugin as well. A refusal is
\`{"error": {"code", "message", "data": {"name", "details"?}}}\`: \`name\` is a code of the [table of errors](errors.md), \`code\` its
number there or ${REFUSED}; a method that is none of these is -32601.

${Object.entries<SubcallRow>(subcalls).map(subcallPart).join('\n\n')}

### The frames of a run

${code(membersText('PluginFinal'))} is the last one; those before it are \`{event: 'delta', text: string}\`.`
}

function messagePart(name: string): string {
  const { doc, members } = readInterface(SOURCE, name)
  const rows = [...members].map(([key, type]) => [code(key), code(type)])
  return `## ${name}\n\n${doc}\n\n${table(['Field', 'Type'], rows)}`
}

function sizeRow([name, what]: (typeof sizes)[number]): string[] {
  return [code(name), grouped(limits[name]), inWords(name, limits[name]), what]
}

function subcallPart([name, { needs, channel }]: [string, SubcallRow]): string {
  const method = name as SubcallMethod
  const own = Object.entries(sessionNeeds).map(
    ([kind, capability]) => `${code(capability)} for ${code(kind)}`,
  )
  const takes = needs === 'session' ? `that of its session, ${own.join(', ')}` : code(needs)
  const time =
    channel === undefined ? '' : ` Past its own time it is \`subcall_timeout\`, \`subcall: '${channel}'\`.`
  const path =
    method === 'host/uploadFile'
      ? ' In place of `bytes_b64` stands the `path` of a file in the folder of the process.'
      : ''
  return `### ${name}

Capability: ${takes}.${time}${path}

${argsTable(subcallParams[method])}

Result: ${code(answers[method])}`
}

function resultText(type: Parameters<typeof jsonSchema>[0]): string {
  return typeText(jsonSchema(type, 'output') as Schema)
}

function membersText(name: string): string {
  const { members } = readInterface(SOURCE, name)
  return `{${[...members].map(([key, type]) => `${key}: ${type}`).join(', ')}}`
}
