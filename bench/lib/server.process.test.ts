import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, vi } from 'vitest'
import { startServer } from './server.ts'

it('kills a server that does not end by itself', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-'))
  const file = path.join(folder, 'deaf.mjs')
  writeFileSync(file, "process.on('message', () => {})\nprocess.send({ port: 1 })\n")
  try {
    const { close } = await startServer(pathToFileURL(file))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const closed = close()
    vi.runAllTimers()
    await closed
    await expect(close()).resolves.toBeUndefined()
  } finally {
    vi.useRealTimers()
    rmSync(folder, { recursive: true })
  }
})
