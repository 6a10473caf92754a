#!/usr/bin/env node
// Imports nothing before the check: an older Node fails while it reads the modules behind it.
const NEEDED = [22, 19] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  console.error(`svc-mcp: Node ${NEEDED.join('.')} or newer is needed, this is ${process.versions.node}`)
  process.exitCode = 1
} else await import('./run-server.ts')
