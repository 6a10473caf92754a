import { inFolder, keyed, npm, type ServerRow, type ToolCall } from './server-row.ts'

const thought = (thoughtNumber: number, says: RegExp): ToolCall => ({
  tool: 'sequentialthinking',
  args: { thought: 'Tea.', nextThoughtNeeded: true, thoughtNumber, totalThoughts: 2 },
  says,
})

/** Servers that are small enough to be development dependencies of this package. */
export const smallServers: readonly ServerRow[] = [
  {
    ...npm('@modelcontextprotocol/server-everything@2026.8.31'),
    tools: 13,
    tasks: ['simulate-research-query'],
    call: { tool: 'get-sum', args: { a: 2, b: 3 }, says: /The sum of 2 and 3 is 5/ },
    fails: { tool: 'echo', args: {}, says: /Input validation error/ },
    slow: { tool: 'trigger-long-running-operation', args: { duration: 60, steps: 60 } },
    picture: { tool: 'get-tiny-image', args: {} },
  },
  {
    ...npm('@modelcontextprotocol/server-filesystem@2026.8.31'),
    args: ['${FOLDER}'],
    ...inFolder('write'),
    tools: 14,
    call: { tool: 'read_text_file', args: { path: '${WORK}/a.txt' }, says: /the first line/ },
    fails: { tool: 'read_text_file', args: { path: '/etc/passwd' }, says: /outside allowed directories/ },
  },
  {
    ...npm('@modelcontextprotocol/server-memory@2026.8.31'),
    ...inFolder('write'),
    env: { ...inFolder('write').env, MEMORY_FILE_PATH: '${FOLDER}/memory.jsonl' },
    tools: 9,
    call: {
      tool: 'create_entities',
      args: { entities: [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }] },
      // The second time it is known already.
      says: /likes tea|\[\]/,
    },
    fails: { tool: 'create_entities', args: {}, says: /Input validation error/ },
  },
  {
    ...npm('@modelcontextprotocol/server-sequential-thinking@2026.8.31'),
    tools: 1,
    call: thought(1, /"thoughtNumber": ?1/),
    fails: { tool: 'sequentialthinking', args: {}, says: /Input validation error/ },
    state: [thought(1, /"thoughtNumber": ?1/), thought(2, /"thoughtHistoryLength": [2-9]/)],
  },
  {
    ...npm('tavily-mcp@0.2.22'),
    ...keyed('TAVILY_API_KEY', 'The key of your account at tavily.com', 'tvly-none'),
    reach: { hosts: ['api.tavily.com'] },
    tools: 5,
    fails: { tool: 'tavily_search', args: { query: 'tea' }, says: /api\.tavily\.com/ },
    needs: 'a key of tavily.com',
  },
]
