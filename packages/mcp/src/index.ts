export { adapterFile, type McpOptions, mcpCommand, SLOW_START } from './mcp-command.ts'
export { findOnPath, type Machine, signalGroup, wordsOf } from './programs.ts'
