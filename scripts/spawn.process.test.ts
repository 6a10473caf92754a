import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'

const module_ = path.resolve(import.meta.dirname, 'spawn.mjs')

/** Waits for ever, says its pid. */
const waiter = `process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log(process.pid)`

const start = (code: string, options = '{}'): ChildProcess => {
  const command = JSON.stringify(['-e', code])
  const text = `import { run } from ${JSON.stringify(module_)}
    const { code } = await run('node', ${command}, ${options})
    process.exitCode = code`
  const outer = spawn('node', ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void outer.kill('SIGKILL'))
  return outer
}

const firstLine = async (child: ChildProcess): Promise<string> => {
  if (!child.stdout) throw new Error('the child has no stdout')
  const [line] = await once(createInterface(child.stdout), 'line')
  return String(line)
}

const isGone = (pid: string) => {
  try {
    return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}

const hasLeash =
  process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0

describe('run', () => {
  it.each([
    ['process.exit(0)', 0],
    ['process.exit(3)', 3],
    [`process.kill(process.pid, 'SIGKILL')`, 137],
  ])('passes the end of %s through', async (code, status) => {
    const [exit] = await once(start(code), 'exit')
    expect(exit).toBe(status)
  })

  it('passes a signal on and waits for the command to close', async () => {
    const outer = start(waiter)
    const pid = await firstLine(outer)
    outer.kill('SIGTERM')
    const [exit] = await once(outer, 'exit')
    expect(exit).toBe(7)
    expect(isGone(pid)).toBe(true)
  })

  it('ends what the command left behind', async () => {
    const left = `const { spawn } = require('node:child_process')
      const child = spawn('sleep', ['60'], { stdio: 'ignore' })
      console.log(child.pid); child.unref()`
    const outer = start(left)
    const pid = await firstLine(outer)
    await once(outer, 'exit')
    await expect.poll(() => isGone(pid)).toBe(true)
  })

  it('stops a command that takes too long', async () => {
    const [exit] = await once(start(waiter, '{ minutes: 0.01 }'), 'exit')
    expect(exit).toBe(7)
  })

  it('leaves no orphan when it is killed itself', async ({ skip }) => {
    skip(!hasLeash, 'setpriv: not on this machine')
    const outer = start(waiter)
    const pid = await firstLine(outer)
    outer.kill('SIGKILL')
    await once(outer, 'exit')
    await expect.poll(() => isGone(pid)).toBe(true)
  })
})
