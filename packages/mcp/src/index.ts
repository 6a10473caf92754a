export { serveMcp } from './serve-mcp.ts'
