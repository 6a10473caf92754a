export { type McpOptions, mcpCommand } from './mcp-command.ts'
