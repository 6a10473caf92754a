import { built, pending } from './row.ts'

/** The stdio wire of plugins (spec §1, §4.5). */
export const stdio = [
  ...built('4.5', {
    'stdio.lines': 'Each way one JSON object stands on one line.',
    'stdio.alive': 'A plugin stays alive and serves calls until its input ends.',
    'stdio.describe': 'describe answers the name of the plugin and its tools with their parameters.',
    'stdio.call': 'call names the tool and its args and is answered with output.',
    'stdio.jsonrpc': 'Lines carry jsonrpc 2.0 and an id, replies a result.',
    'stdio.failure.result': '{success: false, error} in the result is a failure of the tool.',
    'stdio.failure.error': 'A JSON-RPC error is an error of the program.',
    'stdio.progress': 'A plugin can report progress of a call.',
    'stdio.remaining': 'The context of a call tells how much time remains.',
  }),
  ...pending('4.5', 'comes with the requests of plugins to the host', {
    'stdio.upload': 'A plugin can hand a file to the host by host/uploadFile.',
  }),
] as const
