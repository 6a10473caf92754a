import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits as defaults } from '@svc/contract/limits'
import { expect, it, onTestFinished } from 'vitest'
import { openShares } from '../isolation/shares.ts'
import { watchBounds } from './watch.ts'

/** Of more entries than are looked at in one turn of the loop, the last one decides. */
const ENTRIES = 400

it.each([
  ['files', { PLUGIN_DISK_MAX_FILES: ENTRIES - 1 }, `its folder holds more than ${ENTRIES - 1} files`],
  [
    'bytes',
    { PLUGIN_DISK_MAX_BYTES: 5 * ENTRIES - 21 },
    `its folder holds more than ${5 * ENTRIES - 21} bytes`,
  ],
])('counts all %s of folders in folders, whatever their names', async (_, tight, sentence) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-watch-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const deep = join(folder, 'a/b')
  mkdirSync(deep, { recursive: true })
  // Four of the entries have no bytes of their own: two folders, and two links.
  symlinkSync(process.execPath, join(folder, 'program'))
  symlinkSync('none', join(deep, 'none'))
  for (let n = 4; n < ENTRIES; n++)
    writeFileSync(Buffer.concat([Buffer.from(`${deep}/${n}`), Buffer.from([0xff])]), 'teas\n')

  const { promise, resolve } = Promise.withResolvers<string>()
  const ended = Promise.withResolvers<never>().promise
  const limits = { ...defaults, PLUGIN_WATCH_MS: 1, ...tight }
  const parts = { limits, share: openShares(limits).of('eve'), cgroup: undefined }
  watchBounds({ first: () => undefined, ended }, [folder], parts, resolve)
  expect(await promise).toBe(sentence)
})
