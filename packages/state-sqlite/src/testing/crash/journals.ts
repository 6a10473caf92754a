import type { Call, Notes } from '@svc/conformance/testing/notes'
import type { Journals } from '@svc/state'

/** Journals with one writer each. */
export const JOURNALS = 4
const BURST = 12
const KEPT = 40
const TEXT = 300

export const journalName = (at: number) => `journal ${at}`

/** Which write an item is of. */
const markOf = (item: string): string => (JSON.parse(item) as { mark: string }).mark

interface Kept {
  readonly first: number
  /** The marks of its items, from `first` on. */
  readonly marks: readonly string[]
}

type JournalAct =
  | { readonly verb: 'read' }
  | { readonly verb: 'append'; readonly marks: readonly string[] }
  | { readonly verb: 'trim'; readonly keep: number }
  | { readonly verb: 'drop' }

interface JournalCall {
  readonly name: string
  readonly act: JournalAct
}

/** What is in a journal; throws where its numbers have a hole. */
async function readKept(journals: Journals, name: string): Promise<Kept> {
  const { items, first, tail } = await journals.read(name, 0)
  const seqs = items.map(({ seq }) => seq)
  const wanted = Array.from({ length: tail - first + 1 }, (_, at) => first + at)
  if (JSON.stringify(seqs) !== JSON.stringify(wanted))
    throw new Error(`${name} keeps ${first} to ${tail} and has a hole: ${seqs.join(' ')}`)
  return { first, marks: items.map(({ item }) => markOf(item)) }
}

/** The one writer of a journal: appends in bursts, trims, and sometimes drops it all. */
export async function loadJournal(
  journals: Journals,
  notes: Notes,
  at: number,
  random: () => number,
): Promise<void> {
  const below = (n: number) => Math.floor(random() * n)
  const name = journalName(at)
  const call = <Given>(act: JournalAct, run: () => Promise<Given>) =>
    notes.call('journals', { name, act }, run)
  const found = await call({ verb: 'read' }, () => readKept(journals, name))
  let tail = found.first + found.marks.length - 1
  for (let n = 0; ; n++) {
    const chance = random()
    if (chance < 0.01) {
      await call({ verb: 'drop' }, () => journals.drop(name))
      tail = 0
    } else if (chance < 0.15) {
      const keep = below(KEPT)
      await call({ verb: 'trim', keep }, () => journals.trim(name, { keep }))
    } else {
      const marks = Array.from({ length: 1 + below(BURST) }, (_, part) => `${n}.${part}-${process.pid}`)
      const items = marks.map((mark) =>
        JSON.stringify({ mark, text: mark.repeat(below(TEXT / mark.length)) }),
      )
      const given = await call({ verb: 'append', marks }, () => journals.append(name, tail + 1, items))
      if (!given.ok)
        throw new Error(`${name}: its only writer was refused at ${tail + 1}, the tail is ${given.refused}`)
      tail = given.tail
    }
  }
}

const EMPTY: Kept = { first: 1, marks: [] }

function afterAct({ first, marks }: Kept, act: JournalAct): Kept {
  if (act.verb === 'read') return { first, marks }
  if (act.verb === 'append') return { first, marks: [...marks, ...act.marks] }
  if (act.verb === 'drop') return EMPTY
  const gone = Math.max(0, marks.length - act.keep)
  return { first: first + gone, marks: marks.slice(gone) }
}

/** What must be true of the journals: each has what its writer was told, and of what it was not told all or nothing. */
export function openJournalChecks() {
  /** What a journal may hold: more than one where its writer was killed. */
  const possible = new Map<string, readonly Kept[]>()

  function found(name: string, kept: Kept): void {
    const texts = (possible.get(name) ?? [EMPTY]).map((one) => JSON.stringify(one))
    if (!texts.includes(JSON.stringify(kept)))
      throw new Error(`${name} has ${JSON.stringify(kept)}, and should have ${texts.join(' or ')}`)
    possible.set(name, [kept])
  }

  return {
    killed(calls: readonly Call[]): void {
      for (const { what, result } of calls) {
        const { name, act } = what as JournalCall
        const before = possible.get(name) ?? [EMPTY]
        const after = before.map((kept) => afterAct(kept, act))
        if (result === undefined) possible.set(name, [...before, ...after])
        else if (act.verb === 'read') found(name, result)
        else possible.set(name, after)
      }
    },
    async check(journals: Journals): Promise<void> {
      for (let at = 0; at < JOURNALS; at++) found(journalName(at), await readKept(journals, journalName(at)))
    },
  }
}
