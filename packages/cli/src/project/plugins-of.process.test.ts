import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { createRunner, isolate } from '@svc/runner'
import { afterAll, expect } from 'vitest'
import { callOnce } from '../terminal/call-once.ts'
import { pluginsOf } from './plugins-of.ts'
import { readProject } from './project.ts'

// Below the home: what a plugin sees of /tmp is its own anyway.
const root = mkdtempSync(path.join(homedir(), 'svc-plugins-of-'))
const runner = createRunner({ showStderr: true })
afterAll(async () => {
  await runner.close()
  rmSync(root, { recursive: true })
})

const put = (name: string, text: string, mode = 0o644) => {
  const file = path.join(root, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text, { mode })
}
const code = `#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { word } from 'dep'
const tried = (work) => { try { return work() } catch ({ code }) { return code } }
const tool = { name: 'look', parameters: [] }
const look = (place) => ({
  word,
  starts: process.cwd().endsWith('app'),
  reads: tried(() => readFileSync(place, 'utf8')),
  app: tried(() => JSON.parse(readFileSync('manifest.json', 'utf8')).name),
  writes: tried(() => writeFileSync('written', '') ?? 'yes'),
})
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const result = method === 'describe' ? { name: 'looker', version: '1.0.0', tools: [tool] } : { output: look(params.args.place) }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})
`
put('app/manifest.json', '{"name":"Seen"}')
put('beside/secret', 'secret')
put('node_modules/looker/package.json', '{"name":"looker","type":"module"}')
put('node_modules/looker/main.js', code, 0o755)
put('node_modules/dep/package.json', '{"name":"dep","type":"module","exports":"./index.js"}')
put('node_modules/dep/index.js', 'export const word = "imported"')
mkdirSync(path.join(root, 'node_modules/.bin'))
symlinkSync('../looker/main.js', path.join(root, 'node_modules/.bin/svc-looker'))

/** What the program of a package that is installed above the app says of what it may do. */
async function looked(reach: unknown): Promise<unknown> {
  const svc = {
    plugins: [{ slug: 'looker', command: ['svc-looker'], ...(reach !== undefined && { reach }) }],
  }
  put('app/package.json', JSON.stringify({ svc }))
  const [line] = pluginsOf([readProject(path.join(root, 'app'))])
  if (!line) throw new Error('the app has no plugin')
  const { output } = await callOnce(runner, {
    plugin: { ...line, id: 'looker', version: 'local' },
    tool: 'look',
    args: { place: path.join(root, 'beside/secret') },
    kind: 'call',
    timeoutMs: limits.SYNC_TIMEOUT_DEFAULT_MS,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  return output
}

const found = { word: 'imported', starts: true, app: 'Seen' }
const closed = { ...found, reads: 'ENOENT', writes: 'EROFS' }
const open = { ...found, reads: 'secret', writes: 'yes' }
const beside = { folders: [{ path: path.join(root, 'beside'), access: 'read' }] }
const problem = isolate('auto', limits.ISOLATION_PROBE_MS).problem

verifies.each('wall.plugin.app')([
  ['its own files where no reach is written', undefined, closed],
  ['its own files with an empty reach', {}, closed],
  ['a folder of its reach too', beside, { ...closed, reads: 'secret' }],
  ['all that its user sees with the reach "all"', 'all', open],
])('a plugin of an app sees %s', async (_, reach, expected) => {
  expect(await looked(reach)).toEqual(problem === null ? expected : open)
})
