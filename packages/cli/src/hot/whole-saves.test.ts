import { EventEmitter } from 'node:events'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openWholeSaves } from './whole-saves.ts'

/** Tells the plugin of a saved file, as Vite does, and returns what it makes of it. */
async function save(read: () => Promise<string>): Promise<unknown> {
  const { hotUpdate } = openWholeSaves(() => {}) as unknown as {
    hotUpdate: { handler: (this: unknown, options: unknown) => Promise<unknown> }
  }
  const file = path.join(import.meta.dirname, 'is-not-there.ts')
  const options = { type: 'create', file, read, server: { watcher: new EventEmitter() } }
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
