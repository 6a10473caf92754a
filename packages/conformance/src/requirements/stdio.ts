import { built, pending } from './row.ts'

/** The stdio wire of plugins. */
export const stdio = [
  ...built('docs/reference/stdio.md', {
    'stdio.lines': 'Each way one JSON object stands on one line.',
    'stdio.alive': 'A plugin stays alive and serves calls until its input ends.',
    'stdio.describe': 'describe answers the name of the plugin and its tools with their parameters.',
    'stdio.output_schema':
      'A tool may say by a JSON Schema what it returns; a schema that is too large is left out.',
    'stdio.call': 'call names the tool and its args and is answered with output.',
    'stdio.jsonrpc': 'Lines carry jsonrpc 2.0 and an id, replies a result.',
    'stdio.failure.result': '{success: false, error} in the result is a failure of the tool.',
    'stdio.failure.error': 'A JSON-RPC error is an error of the program.',
    'stdio.progress': 'A plugin can report progress of a call.',
  }),
  ...built('docs/guides/plugins.md', {
    'stdio.remaining': 'The context of a call tells how much time remains.',
  }),
  ...pending(
    'docs/reference/stdio.md',
    'the status of a tool has three values, none of them stopped: who ends after one answer is started for each call, and svc plug check tells its author',
    {
      'stdio.one_shot': 'A plugin whose process ends after one answer is shown as stopped.',
    },
  ),
  ...built('docs/reference/stdio.md', {
    'stdio.upload': 'A plugin can hand a file to the host by host/uploadFile.',
  }),
  ...built('0077-a-process-that-is-ending', {
    'stdio.stderr.last':
      'The author of a plugin reads what it said last on stderr when it ended; the apps of others do not.',
    'stdio.reuse.ended':
      'A warm process that has ended, or closed its stdin, before it read a call is replaced by a fresh one; no call is begun twice.',
  }),
  ...built('0040-what-plugins-ask', {
    'subcall.token': 'A request of a plugin shows the sampling token of the call under way, or is refused.',
  }),
  ...built('docs/reference/stdio.md', {
    'subcall.refusal': 'A refusal has the number of a session error or -32000, and its name in data.',
  }),
  ...built('0040-what-plugins-ask', {
    'subcall.count': 'A call has so many requests under way; more are refused.',
  }),
  ...built('0089-times-and-files-of-subcalls', {
    'subcall.deadline': 'A request ends with the deadline of its call, an upload after 30 s besides.',
    'subcall.end': 'The end of a call aborts and answers its requests, and none keeps it from ending.',
  }),
  ...built('0040-what-plugins-ask', {
    'subcall.cap': 'A request and its answer have caps in bytes, a request one in values and names.',
    'subcall.rights': 'What its app may not do now, a plugin may not ask for.',
  }),
  ...built('0088-sessions-of-plugins', {
    'subcall.own_sessions': 'A session of another plugin, app or user looks like one that never was.',
    'subcall.depth': 'Plugins that are called within the session of a plugin may ask for nothing.',
  }),
] as const
