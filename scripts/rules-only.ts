// Set-up of each file of rules: what makes a test slow, or different from run to run, is refused by name.
import childProcess, { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Server } from 'node:net'
import { afterAll } from 'vitest'

const undo: (() => void)[] = []

/** Throws in place of a method. Returns nothing that a test could go on with. */
function refuse(owner: object, method: string, what: string): void {
  const real = Reflect.get(owner, method) as unknown
  Reflect.set(owner, method, () => {
    throw new Error(`A test of rules ${what}. Name the file *.process.test.ts, or test the rule below it.`)
  })
  undo.push(() => Reflect.set(owner, method, real))
}

refuse(ChildProcess.prototype, 'spawn', 'starts no process')
for (const method of ['spawnSync', 'execSync', 'execFileSync'])
  refuse(childProcess, method, 'starts no process')
refuse(Server.prototype, 'listen', 'listens on no socket')
for (const method of ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync'])
  refuse(fs, method, 'waits for no disk')
syncBuiltinESMExports()
// React makes an error for each element that it creates, and Vitest has errors with 100 frames.
Error.stackTraceLimit = 10

afterAll(() => {
  for (const one of undo) one()
  syncBuiltinESMExports()
})
