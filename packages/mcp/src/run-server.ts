import { parseArgs } from './parse-args.ts'
import { serveMcp } from './serve-mcp.ts'

const parsed = parseArgs(process.argv.slice(2))
if (typeof parsed === 'string') {
  console.error(`svc-mcp: ${parsed}`)
  process.exitCode = 2
} else serveMcp(parsed)
