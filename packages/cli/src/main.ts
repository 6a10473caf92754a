#!/usr/bin/env node
// Imports nothing before the check: an older Node fails while it reads the modules behind it.
const NEEDED = [22, 19] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  console.error(`svc: Node ${NEEDED.join('.')} or newer is needed, this is ${process.versions.node}`)
  process.exitCode = 1
} else {
  // The next command does not compile the same files again, which takes half of the time of a start. Not in the folder
  // for temporary files, which is Node's default: what lies there runs, and others may write there.
  const { XDG_CACHE_HOME, HOME } = process.env
  const cache = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`)
  if (cache) process.getBuiltinModule('node:module').enableCompileCache(`${cache}/svc`)
  const { hearEarly } = await import('./terminal/early-signals.ts')
  hearEarly()
  await import('./run-command.ts')
}
