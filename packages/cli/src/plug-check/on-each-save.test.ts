import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { onEachSave } from './on-each-save.ts'

let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'svc-save-'))
  save()
})
afterEach(() => rmSync(cwd, { recursive: true }))

const save = (name = 'plugin.js') => writeFileSync(path.join(cwd, name), `// ${performance.now()}`)

/** Work that a test ends; `begun` has one signal for each time that it was begun. */
function work() {
  const begun: AbortSignal[] = []
  let next = Promise.withResolvers<void>()
  return {
    begun,
    next: () => next.promise,
    async run(signal: AbortSignal, outcome: () => Promise<void>) {
      begun.push(signal)
      const { resolve } = next
      next = Promise.withResolvers()
      resolve()
      await outcome()
    },
  }
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

it.each([
  ['after it has ended', async () => {}],
  ['while it goes on, which it ends', untilAborted],
] as const)('begins work anew when the program is saved %s', async (_, outcome) => {
  const stop = new AbortController()
  const { begun, next, run } = work()
  const first = next()
  const command = ['node', 'plugin.js']
  const done = onEachSave({ cwd, command, signal: stop.signal }, (signal) =>
    run(signal, () => outcome(signal)),
  )
  await first
  const second = next()
  save()
  await second
  expect(begun[0]?.aborted).toBe(true)
  stop.abort()
  await done
  expect(begun).toHaveLength(2)
})

it('ends with what the work throws, and watches no longer', async () => {
  const signal = new AbortController().signal
  const failing = onEachSave({ cwd, command: ['node', 'plugin.js'], signal }, async () => {
    throw new Error('a defect')
  })
  await expect(failing).rejects.toThrow('a defect')
})

it('says that there is no script to watch', async () => {
  const signal = new AbortController().signal
  const refused = onEachSave({ cwd, command: ['svc-plugin', '--fast'], signal }, async () => {})
  await expect(refused).rejects.toMatchObject({
    kind: 'usage',
    message: '--watch needs a script in this folder, and svc-plugin --fast names none',
    hint: 'Start it in the folder of the plugin: svc plug check --watch -- node plugin.ts',
  })
})
