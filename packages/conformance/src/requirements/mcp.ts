import { built } from './row.ts'

/** MCP servers as plugins: what one wire says, said on the other. */
export const mcp = [
  ...built('docs/guides/mcp-servers.md', {
    'mcp.describe':
      'The tools of an MCP server are those of its plugin, with their input schemas, over all pages.',
    'mcp.describe.output':
      'A tool with an output schema describes its payload: the blocks, and the structured content.',
    'mcp.describe.changed': 'After tools/list_changed the next describe has the tools as they are then.',
    'mcp.describe.names': 'A tool whose name the wire does not take is left out; the others stay.',
  }),
  ...built('0042-mcp-servers', {
    'mcp.call': 'A call gives the content of the MCP result, and its structured content where there is some.',
  }),
  ...built('docs/guides/mcp-servers.md', {
    'mcp.call.failure': 'isError is a failure of the tool, an error of the protocol is one of the program.',
    'mcp.progress': 'Progress notifications of a server are progress of the call.',
    'mcp.cancel': 'A cancel, and a deadline, reach the server as notifications/cancelled.',
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
    'mcp.noise': 'Garbage and lines that are too long harm at most the call under way.',
    'mcp.members': 'Members that a message of the server has beside those of JSON-RPC change nothing.',
    'mcp.end.next':
      'The call after one in which the server ended, or right after which it ended, gets a server of its own.',
    'mcp.silent': 'A server that does not answer is given up within the limits of describe.',
  }),
  ...built('0042-mcp-servers', {
    'mcp.protocol': 'A command with protocol mcp is run by the adapter, wherever a plugin is named.',
  }),
] as const
