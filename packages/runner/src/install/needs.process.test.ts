import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import type { Distribution } from '@svc/contract'
import type { Reach } from '@svc/contract/reach'
import { afterEach, beforeEach, expect } from 'vitest'
import { type InstallBed, openInstallBed, where } from '../testing/install.ts'

let bed: InstallBed
beforeEach(() => {
  bed = openInstallBed()
})
afterEach(() => bed.close())

/** Answers what it was started with, and what it reads of the file that its first argument names. */
const program = `#!/usr/bin/env node
const { readFileSync, writeFileSync } = require('node:fs')
const read = () => { try { return readFileSync(process.argv[2], 'utf8') } catch (error) { return error.code } }
const write = () => { try { writeFileSync('written', 'x'); return 'ok' } catch (error) { return error.code } }
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const { KEY, LEVEL } = process.env
  const result =
    method === 'describe'
      ? { name: 'needs', version: '1.0.0', tools: [{ name: 'where', parameters: [] }] }
      : { output: { args: process.argv.slice(2), cwd: process.cwd(), env: { KEY, LEVEL }, read: read(), write: write() } }
  if (method) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})
`

/** A plugin that lies on the machine, and a folder with a file that is none of its own. */
function made(more: object, reach?: Reach, values?: Record<string, string>) {
  const folder = realpathSync(bed.folder)
  const path = join(folder, 'needs')
  writeFileSync(path, program, { mode: 0o700 })
  const data = join(folder, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'file'), 'told')
  const distribution = { type: 'local', path, ...more } as Distribution
  return { data, plugin: { ...bed.plugin(distribution), reach, values } }
}

verifies(
  'plug.needs.filled',
  'a published plugin starts with its arguments, its variables and the folder of its user',
  async () => {
    const needs = {
      args: ['${DATA}/file', '--level=${LEVEL}'],
      env: { DATA: { required: true }, KEY: { secret: true }, LEVEL: { default: 'low' } },
      cwd: '${DATA}',
    }
    const reach: Reach = { folders: [{ path: '${DATA}', access: 'write' }] }
    const { data, plugin } = made(needs, reach)
    const runner = bed.open()
    await expect(where(runner, plugin)).rejects.toThrow(
      'plug_unavailable: tool-ada-tiny-1 is not started: DATA',
    )
    expect(await runner.install(plugin)).toEqual({ ok: true })
    const given = { ...plugin, values: { DATA: data, KEY: 'sk-1' } }
    expect(await where(runner, given)).toEqual({
      args: [`${data}/file`, '--level=low'],
      cwd: data,
      env: { KEY: 'sk-1', LEVEL: 'low' },
      read: 'told',
      write: 'ok',
    })
    const next = { ...given, values: { ...given.values, KEY: 'sk-2', LEVEL: 'high' } }
    expect(await where(runner, next)).toMatchObject({ env: { KEY: 'sk-2', LEVEL: 'high' } })
  },
)

verifies('plug.needs.judged', 'an argument that names a file shows it to nobody behind walls', async () => {
  const runner = bed.open()
  const { data, plugin } = made({ args: ['${DATA}/file'], env: { DATA: {} } })
  const given = { ...plugin, values: { DATA: data } }
  expect(await where(runner, given)).toMatchObject({ args: [`${data}/file`], read: 'ENOENT' })
})
