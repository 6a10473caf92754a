import { ArchiveError } from './archive-error.ts'
import type { ItemPiece, JournalPiece, Piece, Pieces } from './piece.ts'

const SECRET = /^[\w-]{32,1000}$/
const STAGES = ['state', 'record', 'journal', 'blob', 'secret'] as const

/**
 * Passes pieces on and holds them to their order: so nothing is there twice, no journal has a hole, and nothing is cut
 * off. Throws `ArchiveError` `damaged`.
 */
export async function* inOrder(pieces: Pieces): Pieces & AsyncGenerator<Piece> {
  let stage = -1
  let before: readonly string[] = []
  let highest = 0
  let journal = openJournal(null)

  function enter(kind: (typeof STAGES)[number]): void {
    const next = STAGES.indexOf(kind)
    const isNext = kind === 'state' || kind === 'secret' ? next > stage : next >= stage
    if (!isNext || (stage < 0 && kind !== 'state'))
      throw new ArchiveError('damaged', `a ${kind} is not in its place`)
    if (next > stage) before = []
    stage = next
  }

  function follow(what: string, ...name: readonly string[]): void {
    if (compare(before, name) >= 0)
      throw new ArchiveError('damaged', `the ${what} is there twice, or not in the order of names`)
    before = name
  }

  for await (const piece of pieces) {
    if (piece.kind === 'item') {
      journal.take(piece)
      yield piece
      continue
    }
    journal.end()
    enter(piece.kind)
    if (piece.kind === 'state') highest = piece.revision
    if (piece.kind === 'record') {
      const { collection, id, revision } = piece
      const name = `record ${JSON.stringify(id)} of ${JSON.stringify(collection)}`
      follow(name, collection, id)
      if (revision > highest)
        throw new ArchiveError(
          'damaged',
          `the ${name} has revision ${revision}, above the highest ${highest}`,
        )
    }
    if (piece.kind === 'journal') {
      follow(`journal ${JSON.stringify(piece.journal)}`, piece.journal)
      journal = openJournal(piece)
    }
    if (piece.kind === 'secret' && !SECRET.test(piece.secret))
      throw new ArchiveError('damaged', 'the secret must be 32 to 1000 letters, digits, _ and -')
    if (piece.kind === 'blob') follow(`blob ${piece.digest}`, piece.digest)
    yield piece
  }
  journal.end()
  if (STAGES[stage] !== 'secret') throw new ArchiveError('damaged', 'the state ends before its secret')
}

/** Counts the items of a journal; before the first journal there are none. */
function openJournal(head: JournalPiece | null) {
  let next = head?.first ?? 1
  const tail = head?.tail ?? 0
  const name = JSON.stringify(head?.journal ?? '')
  if (head && (head.first < 1 || head.first > head.tail + 1))
    throw new ArchiveError('damaged', `the journal ${name} begins at ${head.first} and ends at ${head.tail}`)
  return {
    take({ seq }: ItemPiece): void {
      if (!head || seq > tail) throw new ArchiveError('damaged', `the item ${seq} is in no journal`)
      if (seq !== next)
        throw new ArchiveError('damaged', `the journal ${name} has item ${seq} in the place of item ${next}`)
      next += 1
    },
    end(): void {
      if (next <= tail)
        throw new ArchiveError('damaged', `the journal ${name} ends before item ${next} of ${tail}`)
    },
  }
}

/** Below 0 where `a` comes first. */
function compare(a: readonly string[], b: readonly string[]): number {
  for (const [at, text] of b.entries()) {
    const other = a[at]
    if (other === undefined) return -1
    if (other !== text) return other < text ? -1 : 1
  }
  return 0
}
