export { adapterFile, type McpOptions, mcpCommand, SLOW_START } from './mcp-command.ts'
