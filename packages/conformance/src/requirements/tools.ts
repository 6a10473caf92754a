import { built } from './row.ts'

/** `tools.list` and `tools.invoke`. */
export const tools = [
  ...built('docs/reference/methods.md', {
    'tools.entry.fields': 'An entry names tool_id, plugin_name, tool_name, description and input_schema.',
    'tools.entry.output': 'An entry has the output_schema of its tool, where the plugin gives one.',
    'tools.entry.status': 'The status of an entry is available, deploying or unavailable.',
  }),
  ...built('0099-deployments-of-plugins', {
    'tools.status.deployed':
      'A published plugin is deploying while a runner installs it, then available, or unavailable with its problem.',
  }),
  ...built('0013-access-and-drafts', {
    'tools.list.filtered': 'tools.list shows only what the allow-list lets through.',
    'tools.list.no_round_trip': 'tools.list starts no plugin process.',
  }),
  ...built('0005-tool-ids-and-payloads', {
    'tools.invoke.payload': 'invoke answers the payload of the plugin without any envelope around it.',
    'tools.invoke.method.required': 'A tool_id without a separator needs method.',
    'tools.invoke.split': 'Without method the tool_id is split at its first separator, __ or a dot.',
    'tools.invoke.split.none': 'Neither method nor separator is invalid_arg.',
    'tools.invoke.method.given': 'Where method is given it names the tool, and tool_id the plugin alone.',
    'tools.invoke.method.type': 'A method that is no string is invalid_arg.',
  }),
  ...built('0006-timeouts-and-deadlines', {
    'tools.invoke.timeout.boolean': 'A boolean as timeoutMs is invalid_arg.',
    'tools.invoke.timeout.minimum': 'A timeoutMs below 1 000 is invalid_arg; 1 000 is taken.',
    'tools.invoke.timeout.clamped': 'A timeoutMs above 90 000 counts as 90 000.',
    'tools.invoke.timeout.declared': 'Without timeoutMs the timeout that the tool declares counts.',
    'tools.invoke.timeout.default': 'Without timeoutMs and declaration 65 000 ms count.',
  }),
  ...built('docs/reference/stdio.md', {
    'tools.invoke.timeout.forwarded': 'The plugin reads the effective timeout as params.timeout.',
    'tools.invoke.deadline.forwarded':
      'The plugin reads its deadline as params.deadline_ms in wall-clock ms.',
  }),
  ...built('0006-timeouts-and-deadlines', {
    'tools.invoke.grace': 'The host waits two seconds longer than the effective timeout.',
    'tools.invoke.timeout.code': 'A tool that is not done by then is tool_timeout.',
  }),
  ...built('0008-a-process-per-call', {
    'tools.invoke.timeout.cancel': 'At the timeout the plugin is told to cancel.',
    'tools.invoke.timeout.reaped': 'At the timeout the whole process tree of the plugin is gone.',
  }),
  ...built('0006-timeouts-and-deadlines', {
    'tools.invoke.timeout.details':
      'A clamped call that times out tells the effective, asked and longest timeout.',
  }),
  ...built('0051-numbers-keep-their-text', {
    'tools.invoke.args.verbatim': 'The plugin gets args exactly as they were sent.',
  }),
  ...built('docs/guides/plugins.md', {
    'tools.invoke.args.unchecked': 'The host does not judge the fields inside args.',
  }),
  ...built('0005-tool-ids-and-payloads', {
    'tools.reply.outer': 'A failure of the outer reply layer is plug_unavailable.',
    'tools.reply.inner': 'A failure of the inner reply layer is tool_failed.',
    'tools.reply.object': 'A payload is always answered as an object.',
  }),
  ...built('0026-waiting-for-a-job', {
    'tools.on_changed': 'The client helper onChanged lists the tools again at each tools.changed.',
  }),
  ...built('0099-deployments-of-plugins', {
    'event.tools_changed': 'tools.changed reaches the page when a deployment changes what is available.',
    'event.tools_changed.concerned':
      'tools.changed comes to the windows whose list is another, and to no others.',
  }),
] as const
