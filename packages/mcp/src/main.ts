#!/usr/bin/env node
import { serveMcp } from './serve-mcp.ts'

const [program, ...args] = process.argv.slice(2)
if (program === undefined) {
  console.error('svc-mcp: name the MCP server to run, such as: svc-mcp npx -y @modelcontextprotocol/server-everything')
  process.exitCode = 2
} else await serveMcp([program, ...args])
