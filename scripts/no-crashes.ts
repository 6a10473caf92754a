// Set-up of each file of tests that start processes: none of ours may end by an error that nobody handled.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'

const { NODE_OPTIONS, SVC_TEST_CRASHES } = process.env
const dir = mkdtempSync(path.join(tmpdir(), 'svc-crashes-'))
const file = path.join(dir, 'crashes')
const preload = path.join(import.meta.dirname, 'testing/note-crash.cjs')

process.env.SVC_TEST_CRASHES = file
process.env.NODE_OPTIONS = `${NODE_OPTIONS ?? ''} --require=${JSON.stringify(preload)}`.trim()

afterAll(() => {
  put('NODE_OPTIONS', NODE_OPTIONS)
  put('SVC_TEST_CRASHES', SVC_TEST_CRASHES)
  const crashes = read()
  rmSync(dir, { recursive: true, force: true })
  if (crashes)
    throw new Error(`A process that this file started ended by an error that nobody handled.\n${crashes}`)
})

function put(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

function read(): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
