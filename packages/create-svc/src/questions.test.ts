import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createProject } from './create-project.ts'
import type { Terminal } from './questions.ts'
import { readOptions } from './read-options.ts'

let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'svc-create-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

/** A terminal where each text is answered when it is shown. */
function terminalOf(answers: readonly (readonly [shown: string, keys: string])[]): Terminal {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 40 })
  const left = [...answers]
  let shown = ''
  output.on('data', (chunk) => {
    shown += chunk
    const [next] = left
    if (!next || !shown.includes(next[0])) return
    left.shift()
    shown = ''
    setImmediate(() => input.write(next[1]))
  })
  return { input, output } as unknown as Terminal
}

const DOWN = '\u001b[B'
const ENTER = '\r'
const CTRL_C = '\u0003'
const create = (words: readonly string[], terminal: Terminal) =>
  createProject(readOptions(words), { cwd, env: {}, version: '1.2.3', terminal })

it('asks for name, kind, template and install', async () => {
  const terminal = terminalOf([
    ['What is it called?', `tools${ENTER}`],
    ['What do you want to write?', `${DOWN}${ENTER}`],
    ['With what?', `${DOWN}${ENTER}`],
    ['Run npm install now?', 'n'],
  ])
  expect(await create([], terminal)).toMatchObject({ name: 'tools', template: 'plugin-python' })
})

it('asks only for what was not given', async () => {
  const terminal = terminalOf([['Run npm install now?', 'n']])
  const created = await create(['tools', '--template', 'host-hono'], terminal)
  expect(created).toMatchObject({ name: 'tools', template: 'host-hono' })
})

it('creates nothing where the user gives up', async () => {
  const terminal = terminalOf([
    ['What is it called?', `tools${ENTER}`],
    ['What do you want to write?', CTRL_C],
  ])
  expect(await create([], terminal)).toBeNull()
  expect(existsSync(path.join(cwd, 'tools'))).toBe(false)
})
