import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { openWholeSaves } from './whole-saves.ts'

const absent = path.join(import.meta.dirname, 'is-not-there.ts')

/** Tells the plugin of a saved file, as Vite does, and returns what it makes of it. */
async function save(read: () => Promise<string>): Promise<unknown> {
  const { hotUpdate } = openWholeSaves(() => {}) as unknown as {
    hotUpdate: { handler: (this: unknown, options: unknown) => Promise<unknown> }
  }
  const options = { type: 'create', file: absent, read }
  return hotUpdate.handler.call({ environment: { name: 'client' } }, options)
}

it('passes over a file that is gone by the time that it is read', async () => {
  const gone = Object.assign(new Error('ENOENT: no such file or directory'), { code: 'ENOENT' })
  expect(await save(() => Promise.reject(gone))).toEqual([])
})

it('leaves a file that is there to Vite', async () => {
  expect(await save(async () => 'text')).toBeUndefined()
})

it('hands on every other error', async () => {
  await expect(save(() => Promise.reject(new Error('no access')))).rejects.toThrow('no access')
})

it.each([
  ['later', '{}', 1],
  ['within one tick of the file system', '{"more":1}', 0],
])('tells of a file that was written again at once, %s, as the watcher does', (_, text, seconds) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-saves-'))
  // Of this one no hook is told either.
  const file = path.join(folder, 'vite.config.js')
  const write = (text: string, seconds: number) => {
    writeFileSync(file, text)
    utimesSync(file, seconds, seconds)
  }
  const watcher = new EventEmitter()
  const { configureServer } = openWholeSaves(() => {}) as unknown as {
    configureServer: (server: unknown) => void
  }
  configureServer({ watcher })
  const told: unknown[] = []
  vi.useFakeTimers()
  try {
    write('{}', 0)
    watcher.emit('change', file)
    watcher.on('change', (...said) => told.push(['change', ...said]))
    watcher.on('all', (...said) => told.push(['all', ...said]))
    write(text, seconds)
    vi.runAllTimers()
    expect(told).toEqual([
      ['change', file],
      ['all', 'change', file],
    ])
  } finally {
    vi.useRealTimers()
    rmSync(folder, { recursive: true })
  }
})
