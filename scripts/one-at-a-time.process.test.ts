import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

it('lets the next one work when a process has ended, also one that was killed', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-lock-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const file = path.join(dir, 'lock')
  const module = pathToFileURL(path.join(import.meta.dirname, 'one-at-a-time.ts')).href
  const code = `import { oneAtATime } from ${JSON.stringify(module)}
    await oneAtATime(${JSON.stringify(file)}, async () => { console.log('in'); await new Promise((end) => setTimeout(end, 1e9)) })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const done: string[] = []
  const second = oneAtATime(file, async () => done.push('second'))
  expect(done).toEqual([])
  done.push('killed')
  child.kill('SIGKILL')
  await second
  await oneAtATime(file, async () => done.push('third'))
  expect(done).toEqual(['killed', 'second', 'third'])
})
