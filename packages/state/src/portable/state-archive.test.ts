import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { rounds } from '@svc/conformance/rounds'
import { packTar, type TarFile } from '@svc/node/archive'
import { frozenClock } from '@svc/node/testing'
import { describe, expect, test } from 'vitest'
import { all, collection } from '../index.ts'
import { type MemoryState, memoryState } from './memory-state.ts'
import { readState } from './read-state.ts'
import { writeState } from './write-state.ts'

interface Note {
  readonly owner: string
  readonly values: readonly unknown[]
}

const notes = collection({
  name: 'notes',
  row: {} as Note,
  indexes: { byOwner: (row) => [row.owner] },
  weight: (row) => row.values.length,
})
const SECRET = 's'.repeat(43)
const awkward = [
  '',
  '\0',
  '\u0001',
  '"',
  '\n',
  '\ud800',
  '\udfff',
  '\uffff',
  'ä',
  '日本',
  '\u{1f600}',
  '__proto__',
]

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function loaded(bytes: Uint8Array): Promise<MemoryState> {
  return memoryState({ clock: frozenClock(), secret: 'other', from: readState(once(bytes)) })
}

async function filled(): Promise<MemoryState> {
  const state = await memoryState({ clock: frozenClock(), secret: SECRET })
  const { store, bus, blobs } = state
  for (const id of awkward)
    await store.insert(notes, id, {
      owner: id,
      values: [1e308, 5e-324, 1e21, -0, id, null, { '1': id, a: [] }],
    })
  for (const name of awkward) await bus.journal.append(name, 1, ['{"n":1e400}', '"\\ud800"', ' [ 1 ] '])
  await bus.journal.trim('ä', { keep: 1 })
  await bus.journal.trim('日本', { keep: 0 })
  await blobs.put(Buffer.alloc(70_000, 7))
  await blobs.put(Buffer.alloc(0))
  return state
}

describe('the archive of a state', () => {
  test('gives back what went in, and the same bytes again', async () => {
    const before = await filled()
    const bytes = await buffer(writeState(before.pieces()))
    const after = await loaded(bytes)
    expect(await buffer(writeState(after.pieces()))).toEqual(bytes)

    for (const id of awkward) {
      expect(await after.store.get(notes, id)).toEqual(await before.store.get(notes, id))
      expect(await after.bus.journal.read(id, 0)).toEqual(await before.bus.journal.read(id, 0))
    }
    expect(await all(after.store, notes, 'byOwner')).toEqual(await all(before.store, notes, 'byOwner'))
    expect(after.secret).toBe(SECRET)
    expect(await buffer(writeState(after.pieces()))).toEqual(bytes)
  })

  test('goes on with revisions, numbers and ages', async () => {
    const before = await filled()
    const removed = await before.store.insert(notes, 'gone', { owner: 'a', values: [] })
    if (!removed.ok) throw new Error('it was there')
    await before.store.remove(notes, 'gone', removed.record.revision)
    const after = await loaded(await buffer(writeState(before.pieces())))

    const again = await after.store.insert(notes, 'gone', { owner: 'a', values: [] })
    expect(again.ok && again.record.revision > removed.record.revision).toBe(true)
    expect(await after.bus.journal.append('日本', 4, ['4'])).toEqual({ ok: true, tail: 4 })
    expect(await after.bus.journal.append('日本', 4, ['4'])).toEqual({ ok: false, refused: 4 })
    await after.bus.journal.trim('\0', { olderThanMs: 1 })
    expect((await after.bus.journal.read('\0', 0)).first).toBe(1)
  })

  test('counts what it brings for caps', async () => {
    const after = await loaded(await buffer(writeState((await filled()).pieces())))
    const row = { owner: 'ä', values: [1] }
    const rows = await after.store.insert(notes, 'x', row, {
      caps: [{ name: 'rows', index: 'byOwner', eq: ['ä'], max: 1 }],
    })
    const weight = await after.store.insert(notes, 'x', row, {
      caps: [{ name: 'weight', index: 'byOwner', eq: ['ä'], max: 7, of: 'weight' }],
    })
    expect([rows, weight]).toEqual([
      { ok: false, full: 'rows' },
      { ok: false, full: 'weight' },
    ])
  })

  test('is of one moment, whatever is written while it is made', async () => {
    const state = await filled()
    const before = await buffer(writeState(state.pieces()))
    const pieces = state.pieces()
    await state.store.insert(notes, 'later', { owner: 'later', values: [] })
    await state.bus.journal.append('\0', 4, ['later'])
    await state.bus.journal.drop('ä')
    await state.blobs.put(Buffer.from('later'))
    expect(await buffer(writeState(pieces))).toEqual(before)
  })

  test('is refused wherever it is cut off or a bit is another one', async () => {
    const bytes = await buffer(writeState((await filled()).pieces()))
    const step = Math.ceil(bytes.length / rounds(Math.ceil(bytes.length / 1_009)))
    for (let at = 0; at < bytes.length; at += step) {
      await expect(loaded(bytes.subarray(0, at)), `cut at ${at}`).rejects.toMatchObject({
        name: 'ArchiveError',
      })
      const other = Buffer.from(bytes)
      other[at] = (other[at] ?? 0) ^ 4
      await expect(loaded(other), `changed at ${at}`).rejects.toMatchObject({ name: 'ArchiveError' })
    }
  })
})

const state = ['svc-state.json', '{"format":1,"revision":9}\n'] as const
const secret = ['secret', `${SECRET}\n`] as const
const records = (...lines: string[]) =>
  ['records/000001.ndjson', lines.map((line) => `${line}\n`).join('')] as const
const journals = (...lines: string[]) =>
  ['journals/000001.ndjson', lines.map((line) => `${line}\n`).join('')] as const
const record = (id: string, row = '{}') =>
  `{"collection":"notes","id":${JSON.stringify(id)},"revision":1,"row":${row}}`
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

/** An archive of these files, with check sums as they should be. */
async function archiveOf(files: readonly (readonly [path: string, content: string])[]): Promise<Buffer> {
  const sums = files
    .filter(([path]) => !path.startsWith('blobs/'))
    .map(([path, content]) => `${sha256(content)}  ${path}\n`)
  async function* all(): AsyncGenerator<TarFile> {
    for (const [path, content] of [...files, ['SHA256SUMS', sums.join('')] as const]) {
      const bytes = Buffer.from(content)
      yield { path, size: bytes.length, bytes: [bytes] }
    }
  }
  return buffer(packTar(all()))
}

describe('an archive of somebody else', () => {
  test.each([
    [
      'rows in another spelling',
      [state, records('{ "row": {"a": 1.0}, "id": "a", "revision": 1, "collection": "notes" }'), secret],
    ],
    ['nothing in it', [state, secret]],
  ])('is read with %s', async (_what, files) => {
    const after = await loaded(await archiveOf(files))
    expect(after.secret).toBe(SECRET)
  })

  test.each([
    ['another first file', [secret], 'not_ours', 'it begins with "secret", not with svc-state.json'],
    [
      'a path upwards',
      [state, ['../../etc/passwd', 'x']],
      'damaged',
      'a file that is not in its place, "../../etc/passwd"',
    ],
    ['an absolute path', [state, ['/etc/passwd', 'x']], 'damaged', 'a file that is not in its place'],
    [
      'a blob with a path',
      [state, ['blobs/../../x', 'x'], secret],
      'damaged',
      'a file that is not in its place',
    ],
    [
      'a newer format',
      [['svc-state.json', '{"format":2}']],
      'newer',
      'format 2, and this version of svc reads format 1',
    ],
    ['no format', [['svc-state.json', '[]']], 'not_ours', 'the number of its "format"'],
    ['no revision', [['svc-state.json', '{"format":1}']], 'damaged', 'must have "revision"'],
    ['a large first file', [['svc-state.json', ' '.repeat(70_000)]], 'damaged', 'at most 65536 are allowed'],
    [
      'a line that is not JSON',
      [state, records('{'), secret],
      'damaged',
      'line 1 of records/000001.ndjson cannot be used: it is not JSON',
    ],
    ['a line that is a list', [state, records('[]'), secret], 'damaged', 'it must be an object'],
    [
      'a line without an id',
      [state, records('{"collection":"a","revision":1,"row":1}'), secret],
      'damaged',
      '"id" must be a text',
    ],
    [
      'a line with more',
      [state, records(record('a').replace('{', '{"x":1,')), secret],
      'damaged',
      'there is no field "x"',
    ],
    [
      'a row of many levels',
      [state, records(record('a', '['.repeat(5_000) + ']'.repeat(5_000))), secret],
      'damaged',
      'it nests deeper than 4096 levels',
    ],
    [
      'a number too large',
      [state, records(record('a', '{"n":1e400}')), secret],
      'damaged',
      'a number that is too large',
    ],
    [
      'a revision never given',
      [state, records(record('a').replace('1', '10')), secret],
      'damaged',
      'above the highest 9',
    ],
    [
      'a record twice',
      [state, records(record('a'), record('a')), secret],
      'damaged',
      'record "a" of "notes" is there twice',
    ],
    [
      'records out of order',
      [state, records(record('b'), record('a')), secret],
      'damaged',
      'not in the order of names',
    ],
    [
      'half a line',
      [state, ['records/000001.ndjson', record('a')], secret],
      'damaged',
      'ends in the middle of a line',
    ],
    [
      'a part that is missing',
      [state, ['records/000002.ndjson', `${record('a')}\n`], secret],
      'damaged',
      'records/000001.ndjson is missing',
    ],
    [
      'records behind journals',
      [state, journals('{"journal":"j","first":1,"tail":0}'), records(record('a')), secret],
      'damaged',
      'a record is not in its place',
    ],
    [
      'an item in no journal',
      [state, journals('{"seq":1,"at":1,"item":"1"}'), secret],
      'damaged',
      'the item 1 is in no journal',
    ],
    [
      'a hole in a journal',
      [
        state,
        journals(
          '{"journal":"j","first":1,"tail":3}',
          '{"seq":1,"at":1,"item":"1"}',
          '{"seq":3,"at":1,"item":"1"}',
        ),
        secret,
      ],
      'damaged',
      'item 3 in the place of item 2',
    ],
    [
      'a journal without its end',
      [state, journals('{"journal":"j","first":1,"tail":2}', '{"seq":1,"at":1,"item":"1"}'), secret],
      'damaged',
      'ends before item 2 of 2',
    ],
    [
      'a journal that begins behind its end',
      [state, journals('{"journal":"j","first":9,"tail":2}'), secret],
      'damaged',
      'begins at 9 and ends at 2',
    ],
    [
      'a journal twice',
      [state, journals('{"journal":"j","first":1,"tail":0}', '{"journal":"j","first":1,"tail":0}'), secret],
      'damaged',
      'journal "j" is there twice',
    ],
    [
      'an item that is not JSON',
      [state, journals('{"journal":"j","first":1,"tail":1}', '{"seq":1,"at":1,"item":"x"}'), secret],
      'damaged',
      '"item" must be a text that is JSON',
    ],
    [
      'a blob of another digest',
      [state, [`blobs/${sha256('a')}`, 'b'], secret],
      'damaged',
      'its digest differs',
    ],
    ['no secret', [state], 'damaged', 'the state ends before its secret'],
    ['a short secret', [state, ['secret', 'short\n']], 'damaged', 'the secret must be 32 to 1000'],
    ['text that is not UTF-8', [state, ['secret', '\ud800\n']], 'damaged', 'the secret must be'],
  ] as const)('is refused with %s', async (_what, files, code, says) => {
    const error = await loaded(await archiveOf(files as never)).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'ArchiveError', code, message: expect.stringContaining(says) })
    expect((error as { hint: string }).hint).toMatch(/^Use /)
  })

  test('is refused when it is none', async () => {
    await expect(loaded(Buffer.from('PK\u0003\u0004'.repeat(1_000)))).rejects.toMatchObject({
      code: 'not_ours',
      hint: 'Use a file that svc data backup or svc data export wrote.',
    })
  })
})
