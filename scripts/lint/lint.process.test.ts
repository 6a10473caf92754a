import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** The lines of a source at which a rule of this folder has something to say. */
function linesFound(rule: string, text: string): number[] {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-lint-'))
  try {
    const config = { plugins: [path.join(import.meta.dirname, `${rule}.grit`)], linter: { rules: {} } }
    writeFileSync(path.join(dir, 'biome.json'), JSON.stringify(config))
    writeFileSync(path.join(dir, 'source.ts'), text)
    const biome = path.join(root, 'node_modules/.bin/biome')
    const { stdout, stderr } = spawnSync(biome, ['lint', '--colors=off', '.'], { cwd: dir, encoding: 'utf8' })
    return [...`${stdout}${stderr}`.matchAll(/source\.ts:(\d+):\d+ plugin/g)]
      .map(([, line]) => Number(line))
      .sort()
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

it('finds each let of a module, and no other', () => {
  const text = `let first = 0
export let second = 1, third: number | undefined
export function count() {
  let own = 1
  for (let n = 0; n < 2; n++) own += n
  return () => {
    let inner = own
    inner += first + second + (third ?? 0)
    return inner
  }
}
for (let n = 0; n < 2; n++) count()
for (let one of [1]) one += 1
{
  let inBlock = 1
  inBlock += 1
}
const fixed = 1
export class Count {
  static {
    let inClass = fixed
    inClass += 1
  }
}
`
  expect(linesFound('no-module-let', text)).toEqual([1, 2])
})

it('finds each object literal that is spread as it is written', () => {
  const text = `const a = { b: 1 }
export const c = { ...a, d: 1 }
export const e = { ...{ b: 1 }, d: 1 }
export const f = { ...(c.d && { b: 1 }) }
`
  expect(linesFound('no-spread-groups', text)).toEqual([3])
})
