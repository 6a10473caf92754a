import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bindingSize } from './bundle-size.ts'

it('weighs the same sources alike, wherever they are', async () => {
  const sizes = new Set<number>()
  for (let place = 0; place < 8; place += 1) {
    const dir = mkdtempSync(path.join(tmpdir(), 'svc-size-'))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    writeFileSync(path.join(dir, 'late.ts'), 'export const late = 1')
    writeFileSync(path.join(dir, 'later.ts'), 'export const later = 2')
    const contents = `export const load = () => [import('./late.ts'), import('./later.ts')]`
    sizes.add(await bindingSize(dir, 'export {}', contents))
  }
  expect(sizes.size).toBe(1)
})
