import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { syncFile } from './sync-file.ts'

it('takes a handle that has a descriptor alone, of a file or a folder', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'svc-sync-'))
  for (const [name, flags] of [
    [dir, 'r'],
    [path.join(dir, 'file'), 'w'],
  ] as const) {
    const handle = await open(name, flags)
    await expect(syncFile({ fd: handle.fd })).resolves.toBeUndefined()
    await handle.close()
  }
  await rm(dir, { recursive: true })
})
