import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

const packages = path.resolve(import.meta.dirname, '../..')
/** Has a program believe that it runs on another Node. */
const pretend = (version: string) =>
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`

it.each([
  ['svc', 'cli', '20.20.2'],
  ['svc', 'cli', '22.18.9'],
  ['svc-mcp', 'mcp', '20.20.2'],
])('%s says in one sentence that it needs a newer Node', (name, dir, version) => {
  const main = path.join(packages, dir, 'src/main.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', pretend(version), main])
  expect([status, String(stdout), String(stderr)]).toEqual([
    1,
    '',
    `${name}: Node 22.19 or newer is needed, this is ${version}\n`,
  ])
})
