import { collection } from '@svc/state'
import { type Folder, FolderError, openFolder } from '../../index.ts'

interface Note {
  readonly owner: string
  readonly text: string
}

const notes = collection({ name: 'notes', row: {} as Note, indexes: { byOwner: ({ owner }) => [owner] } })
const caps = [{ name: 'rows', index: 'byOwner', eq: ['ann'], max: 100 }] as const
const textOf = (n: number, size = 10) => `${n} `.repeat(size)
const LARGE = 40_000
/** Large records, which make the log grow until it is taken into the file. */
const LARGE_ROWS = 60

/** What one round came to, and what was wrong in it. */
export interface Round {
  /** Calls that were refused, as they should be where a system call failed. */
  readonly refusals: string[]
  readonly wrong: string[]
}

/**
 * Opens a new folder and does the same work in it each time. What is refused is tried once more, and has to succeed then:
 * the failure has passed, and nothing of the first time may be there.
 */
export async function doWork(dir: string): Promise<Round> {
  const round: Round = { refusals: [], wrong: [] }

  async function twice<Given>(what: string, run: () => Promise<Given>): Promise<Given> {
    try {
      return await run()
    } catch (error) {
      const { name, code, message } = error as { name: string; code: string; message: string }
      round.refusals.push(`${what}: ${message}`)
      const isRight =
        error instanceof FolderError ? code === 'not_usable' || code === 'no_room' : code === 'unavailable'
      if (!isRight) round.wrong.push(`${what}: ${name} ${code}: ${(error as Error).stack}`)
    }
    return run()
  }
  const done = (what: string, result: { ok: boolean }) => {
    if (!result.ok) round.wrong.push(`${what}: ${JSON.stringify(result)}`)
  }

  const { store, bus, blobs, close } = await twice('openFolder', () => openFolder(dir, { onError: () => {} }))
  const add = async (id: string, text: string) =>
    done(
      `insert ${id}`,
      await twice(`insert ${id}`, () => store.insert(notes, id, { owner: 'ann', text }, { caps })),
    )
  await Promise.all([1, 2, 3, 4].map((n) => add(`note ${n}`, textOf(n))))
  const first = await twice('get', () => store.get(notes, 'note 1'))
  const next = { owner: 'ann', text: textOf(11) }
  done('swap', await twice('swap', () => store.swap(notes, 'note 1', first?.revision ?? 0, next, { caps })))
  const second = await twice('get', () => store.get(notes, 'note 2'))
  done('remove', { ok: await twice('remove', () => store.remove(notes, 'note 2', second?.revision ?? 0)) })
  const append = async (name: string, seq: number) => {
    const items = [0, 1, 2, 3].map((at) => JSON.stringify(textOf(seq + at)))
    done(`append ${name} ${seq}`, await twice('append', () => bus.journal.append(name, seq, items)))
  }
  await Promise.all([append('kept', 1), append('dropped', 1)])
  await append('kept', 5)
  await twice('trim', () => bus.journal.trim('kept', { keep: 5 }))
  await twice('drop', () => bus.journal.drop('dropped'))
  const [, gone] = await Promise.all(
    ['a', 'b'].map((text) => twice('put', () => blobs.put(Buffer.from(text)))),
  )
  done('remove blob', { ok: await twice('remove blob', () => blobs.remove(gone as string)) })
  await Promise.all(Array.from({ length: LARGE_ROWS }, (_, n) => add(`large ${n}`, textOf(n, LARGE / 2))))
  await close()
  return round
}

/** Opens the folder again, with nothing failing, and says what is not as it was told. */
export async function whatIsLost(dir: string): Promise<string[]> {
  const folder = await openFolder(dir)
  try {
    return await whatDiffers(folder)
  } finally {
    await folder.close()
  }
}

async function whatDiffers({ store, bus, blobs }: Folder): Promise<string[]> {
  const { rows } = await store.scan(notes, 'byOwner', { eq: ['ann'], limit: 1_000 })
  const large = Array.from({ length: LARGE_ROWS }, (_, n) => [`large ${n}`, textOf(n, LARGE / 2)])
  const wanted = [['note 1', textOf(11)], ['note 3', textOf(3)], ['note 4', textOf(4)], ...large]
  const kept = await bus.journal.read('kept', 3)
  const dropped = await bus.journal.read('dropped', 0)
  const bytes = await blobs.get('ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb')
  const pairs: readonly [what: string, found: unknown, wanted: unknown][] = [
    ['records', rows.map(({ id, row }) => [id, row.text]).sort(), wanted.sort()],
    [
      'the journal',
      kept,
      {
        items: [4, 5, 6, 7, 8].map((seq) => ({ seq, item: JSON.stringify(textOf(seq)) })),
        first: 4,
        tail: 8,
        reset: false,
      },
    ],
    ['the dropped journal', dropped, { items: [], first: 1, tail: 0, reset: false }],
    ['the blob', bytes && Buffer.from(bytes).toString(), 'a'],
  ]
  return pairs
    .filter(([, found, right]) => JSON.stringify(found) !== JSON.stringify(right))
    .map(([what, found]) => `${what}: ${JSON.stringify(found).slice(0, 500)}`)
}
