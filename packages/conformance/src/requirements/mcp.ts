import { built } from './row.ts'

/** MCP servers as plugins: what one wire says, said on the other. */
export const mcp = [
  ...built('docs/guides/mcp-servers.md', {
    'mcp.describe':
      'The tools of an MCP server are those of its plugin, with their input schemas, over all pages.',
    'mcp.describe.output':
      'A tool with an output schema describes its payload: the blocks, and the structured content.',
    'mcp.describe.changed': 'After tools/list_changed the next describe has the tools as they are then.',
    'mcp.describe.names':
      'A tool whose name the wire does not take has another there; one that cannot be called is left out.',
  }),
  ...built('0042-mcp-servers', {
    'mcp.call': 'A call gives the content of the MCP result, and its structured content where there is some.',
  }),
  ...built('docs/guides/mcp-servers.md', {
    'mcp.call.failure': 'isError is a failure of the tool, an error of the protocol is one of the program.',
    'mcp.progress': 'Progress notifications of a server are progress of the call.',
    'mcp.cancel':
      'A cancel, and a deadline, reach the server as notifications/cancelled; one that does not answer is ended.',
    'mcp.cancel.ends':
      'Nothing of a call goes on 500 ms after its deadline or its cancel, and the next one is whole.',
  }),
  ...built('0042-mcp-servers', {
    'mcp.sampling':
      'sampling/createMessage asks the host by llm/complete with the token of the call under way.',
    'mcp.sampling.granted': 'Without the capability sampling is neither offered nor answered.',
  }),
  ...built('docs/guides/mcp-servers.md', {
    'mcp.refused': 'Elicitation and roots are not offered, and are refused.',
    'mcp.end.server': 'When the server ends, the call under way fails with the reason and the plugin ends.',
  }),
  ...built('0093-how-the-adapter-runs-an-mcp-server', {
    'mcp.end.input': 'When its input ends, the plugin ends its server too, and nothing of it is left.',
    'mcp.meant':
      'A line of a server that is meant as an answer and cannot be read fails its call at once, with the cause.',
    'mcp.stderr':
      'What a server said last on stderr is told with the failure of its start, and with its end.',
    'mcp.noise': 'Garbage and lines that are too long harm at most the call under way.',
    'mcp.members': 'Members that a message of the server has beside those of JSON-RPC change nothing.',
    'mcp.end.next':
      'The call after one in which the server ended, or right after which it ended, gets a server of its own.',
    'mcp.silent': 'A server that does not answer is given up within the limits of describe.',
  }),
  ...built('0178-servers-that-keep-to-mcp-loosely', {
    'mcp.hello':
      'A server that leaves out what it has to say of itself, or speaks an unknown version, is taken all the same.',
  }),
  ...built('0042-mcp-servers', {
    'mcp.protocol': 'A command with protocol mcp is run by the adapter, wherever a plugin is named.',
  }),
  ...built('0167-who-shares-a-process', {
    'plugin.session':
      'A plugin with sessions has one process for each window and each session of an agent, with its calls in order.',
    'plugin.session.room':
      'The process of a session gives way where its place is needed, one of the same user first, and never of an app with fewer.',
    'plugin.session.ends':
      'With its window or session a process ends, and so it does with the access of its user.',
    'plugin.described': 'The process that was described serves the first call.',
  }),
  ...built('0168-lists-of-tools-that-change', {
    'plugin.tools_changed':
      'A plugin of the configuration whose process says that its tools changed has them in the list of its user.',
    'plugin.tools_changed.apart':
      'Tools that a process told are for the user and the app that it serves, and for no others.',
    'plugin.tools_changed.flood': 'However often a process says so, it is asked once in a while.',
    'plugin.tools_again': 'A call of a tool that is unknown has its plugin asked again, once in a while.',
  }),
] as const
