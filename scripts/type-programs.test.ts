import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { typePrograms } from './type-programs.ts'

const node = { extends: '../base.json', compilerOptions: { types: ['node'] }, include: ['src'] }
const spelled = { compilerOptions: { types: ['node'], strict: true }, include: ['src', 'check.ts'] }
const loose = { ...node, compilerOptions: { types: ['node'], strict: false } }
const plain = 'export const one = 1\n'

function openRoot(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'svc-types-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(path.join(root, 'base.json'), JSON.stringify({ compilerOptions: { strict: true } }))
  return root
}

function writeProject(dir: string, config: unknown, source: string): string {
  mkdirSync(path.join(dir, 'src'), { recursive: true })
  writeFileSync(path.join(dir, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(path.join(dir, 'src/one.ts'), source)
  return dir
}

it.each([
  ['the same options', node, plain, [['a', 'b']]],
  ['the same options, spelled out', spelled, plain, [['a', 'b']]],
  ['other options', loose, plain, [['a'], ['b']]],
  ['a global', node, 'declare global {\n  var two: number\n}\nexport {}\n', [['a'], ['b']]],
  ['a module of others', node, "declare module 'two' {}\n", [['a'], ['b']]],
])('beside a plain project, one with %s makes the programs %4$j', (_, config, source, programs) => {
  const root = openRoot()
  const a = writeProject(path.join(root, 'a'), node, plain)
  const b = writeProject(path.join(root, 'b'), config, source)

  const made = typePrograms([a, b], path.join(root, 'shared'))
  expect(made.map(({ dirs }) => dirs.map((dir) => path.basename(dir)))).toEqual(programs)
  expect(made.map(({ dirs, config }) => dirs.length > 1 || config === dirs[0])).not.toContain(false)
})

it('a shared program has the files and the options of its projects', () => {
  const root = openRoot()
  const a = writeProject(path.join(root, 'a'), node, plain)
  const b = writeProject(path.join(root, 'b'), spelled, plain)

  const [program] = typePrograms([a, b], path.join(root, 'shared'))
  expect(JSON.parse(readFileSync(program?.config ?? '', 'utf8'))).toEqual({
    compilerOptions: { strict: true, types: ['node'] },
    include: [path.join(a, 'src'), path.join(b, 'src'), path.join(b, 'check.ts')],
  })
})
