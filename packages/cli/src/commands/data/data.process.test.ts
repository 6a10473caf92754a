import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openFolder } from '@svc/state-sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runHere } from '../../testing/run-here.ts'

/** As the host keeps files of users. */
const files = { name: 'files', indexes: {} }
let cwd = ''

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'svc-data-'))
})
afterEach(() => rm(cwd, { recursive: true }))

const data = (...args: string[]) => runHere(['data', ...args], { cwd })

it('copies a folder that is used, makes it again, and says what is wrong with it', async () => {
  const { store, blobs, close } = await openFolder(path.join(cwd, 'svc-data'))
  const digest = await blobs.put(Buffer.from('hello'))
  await store.insert(files, 'file-1', { state: 'ready', digest })

  const backup = await data('backup', 'a.tar', '--json')
  expect(JSON.parse(backup.out)).toMatchObject({ ok: true, file: 'a.tar', records: 1, items: 0, blobs: 1 })
  expect((await data('check')).out).toBe(
    './svc-data: 1 record, 0 journal items, 1 blob\n  everything is as it was written\n',
  )
  await blobs.remove(digest)
  await close()
  const missing = `record "file-1" of files: its blob ${digest} is missing`
  const check = await data('check', '--json')
  expect([check.code, JSON.parse(check.out)]).toMatchObject([1, { ok: false, found: 1, problems: [missing] }])

  const again = await data('backup', 'a.tar')
  expect([again.code, again.err]).toEqual([3, expect.stringContaining('a.tar is there already')])
  const restored = await data('import', 'a.tar', '--data', 'other')
  expect([restored.code, restored.out]).toEqual([0, 'other has the state of a.tar.\n'])
  const stats = JSON.parse((await data('stats', '--data', 'other', '--json')).out)
  expect(stats).toMatchObject({
    ok: true,
    collections: [{ name: 'files', rows: 1 }],
    blobs: { count: 1, bytes: 5 },
  })
  expect((await readdir(cwd)).filter((name) => !name.startsWith('.')).sort()).toEqual([
    'a.tar',
    'other',
    'svc-data',
  ])
})

it('fails with a sentence and a hint', async () => {
  expect(JSON.parse((await data('check', '--json')).out)).toEqual({
    ok: false,
    error: {
      kind: 'config',
      message: `there is no data folder of svc in ${path.join(cwd, 'svc-data')}`,
      hint: 'Name the folder that svc serve keeps its state in, with --data.',
    },
  })
  expect(await data('backup')).toMatchObject({ code: 2, err: expect.stringContaining('FILE') })
})
