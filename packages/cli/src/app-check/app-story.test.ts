import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readStory } from './app-story.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-story-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const write = (text: string) => writeFileSync(path.join(dir, 'svc.check.ts'), text)

it('is empty where there is no file', async () => {
  expect(await readStory(dir)).toEqual({})
})

it('has the steps of the file in their order', async () => {
  write('export default { view: "main" as string, steps: { second: async () => {}, first: async () => {} } }')
  const { view, steps = {} } = await readStory(dir)
  expect([view, Object.keys(steps)]).toEqual(['main', ['second', 'first']])
})

it.each([
  ['no default export', 'export const steps = {}', 'svc.check.ts must export an object by default'],
  [
    'a key that there is not',
    'export default { stpes: {} }',
    'svc.check.ts has no key stpes; did you mean `steps`?',
  ],
  [
    'a step that is none',
    'export default { steps: { go: 1 } }',
    'the step "go" of svc.check.ts must be a function',
  ],
  ['what throws', 'throw new Error("broken")', 'svc.check.ts could not be read: broken'],
])('says what is wrong with %s', async (_, text, message) => {
  write(text)
  await expect(readStory(dir)).rejects.toMatchObject({ kind: 'config', message })
})
