import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openInstallStore } from './install-store.ts'

const NAME = 'a'.repeat(64)

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-store-'))
})
afterEach(() => rmSync(root, { recursive: true }))

it('is put right by all who find a damaged install at once', async () => {
  mkdirSync(join(root, NAME))
  writeFileSync(join(root, NAME, 'start.json'), '{"start":')
  const everybody = Promise.withResolvers<void>()
  let there = 0
  const commands = await Promise.all(
    Array.from({ length: 8 }, () =>
      openInstallStore({ root, temporary: () => root, keptMs: 60_000, checkBatch: 64, now: Date.now }).place(
        NAME,
        async (folder) => {
          await writeFile(join(folder, 'run'), '')
          there += 1
          if (there === 8) everybody.resolve()
          await everybody.promise
          return [{ in: 'run' }]
        },
      ),
    ),
  )
  const files = join(root, NAME, 'files')
  expect(commands).toEqual(
    Array.from({ length: 8 }, () => ({
      command: [join(files, 'run')],
      files: [files],
      intact: expect.any(Function),
    })),
  )
  expect(readdirSync(root)).toEqual([NAME])
  expect(readdirSync(join(root, NAME)).sort()).toEqual(['files', 'seal.json', 'start.json'])
})
