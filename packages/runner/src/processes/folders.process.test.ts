import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@svc/contract/limits'
import { frozenClock } from '@svc/node/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { openBed } from '../testing/bed.ts'
import { openFolders } from './folders.ts'

const root = mkdtempSync(join(tmpdir(), 'svc-folders-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('folders', () => {
  it('gives every process its own and every key one cache, for nobody else to read', async () => {
    const folders = openFolders(join(root, 'made', 'on', 'the', 'way'), limits)
    const made = [folders.own(), folders.own(), folders.cache('ada'), folders.cache('bob')]
    expect(new Set(made).size).toBe(4)
    expect(folders.cache('ada')).toBe(made[2])
    for (const folder of made) expect(statSync(folder).mode & 0o777).toBe(0o700)
    await folders.close()
    for (const folder of made) expect(existsSync(folder)).toBe(false)
    await folders.close()
  })

  it('drops a cache; its key gets another folder at once', async () => {
    const folders = openFolders(root, limits)
    const before = folders.cache('ada')
    const dropping = folders.dropCache('ada')
    const after = folders.cache('ada')
    await dropping
    expect([existsSync(before), existsSync(after)]).toEqual([false, true])
    await folders.dropCache('nobody')
    await folders.close()
  })
})

it('empties a cache, whose folder stays', async () => {
  const folders = openFolders(root, limits)
  const cache = folders.cache('ada')
  mkdirSync(join(cache, 'a/b'), { recursive: true })
  writeFileSync(join(cache, 'a/b/c'), '')
  await folders.emptyCache('ada')
  await folders.emptyCache('nobody')
  expect(readdirSync(cache)).toEqual([])
  expect(folders.cache('ada')).toBe(cache)
  await folders.close()
})

describe('a runner whose folders cannot be made', () => {
  /** Below a file there are no folders, whoever asks. */
  const file = join(root, 'file')
  writeFileSync(file, '')
  const refused = {
    ok: false,
    code: 'plug_unavailable',
    message: expect.stringContaining('its folder could not be made: '),
  }

  it('answers calls and describes, and takes them back to work once it can', async () => {
    const bed = openBed({ workDir: join(root, 'late', 'er') })
    writeFileSync(join(root, 'late'), '')
    expect(await bed.call('echo')).toMatchObject(refused)
    expect(await bed.runner.describe(bed.plugin())).toMatchObject(refused)
    expect(bed.runner.stats()).toMatchObject({ processes: 0, busy: 0, waiting: 0 })
    rmSync(join(root, 'late'))
    expect(await bed.call('echo', { a: 1 })).toMatchObject({ ok: true, payload: { a: 1 } })
    await bed.runner.close()
  })

  it('lives through a spare that cannot be started', async () => {
    const clock = frozenClock()
    const workDir = join(root, 'goes')
    const bed = openBed({ workDir, clock })
    await bed.call('echo')
    const call = bed.call('echo')
    rmSync(workDir, { recursive: true })
    writeFileSync(workDir, '')
    await expect(clock.advance(0)).resolves.toBeUndefined()
    expect(await call).toMatchObject({ ok: true })
    await bed.runner.close()
  })

  it('closes', async () => {
    const bed = openBed({ workDir: file })
    expect(await bed.call('echo')).toMatchObject(refused)
    await bed.runner.close()
  })
})
