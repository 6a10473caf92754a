import { byId } from './by-id.ts'
import { linesOf, onlyIn } from './lines.ts'
import { make } from './make.ts'
import { merge } from './merge.ts'
import type { Stored } from './store.ts'

/** Two versions that cannot both stand. */
export interface Conflict {
  /** The text that both come from. */
  readonly base: string
  readonly mine: string
  /** What is stored; `null` when the other window deleted the note. */
  readonly theirs: Stored | null
}

/** How the user settled it; a merged text is edited on before it is saved. */
export type Settled =
  | { readonly how: 'mine' }
  | { readonly how: 'theirs' }
  | { readonly how: 'merge'; readonly text: string; readonly clashes: number }

/** Shows both versions side by side with what differs marked, and waits for the user's choice. */
export function settle({ base, mine, theirs }: Conflict): Promise<Settled> {
  const place = byId('conflict')
  byId('conflict-story').textContent =
    theirs === null
      ? 'Another window deleted it while you were writing. Your text is not lost: choose what to do with it.'
      : 'Another window saved first. Nothing is lost: choose what to do with the two texts.'
  showLines(byId('mine'), mine, theirs?.text ?? '')
  showLines(byId('theirs'), theirs?.text ?? null, mine)
  byId('take-theirs').textContent = theirs === null ? 'Delete mine too' : 'Use the stored one'
  byId('merge').hidden = theirs === null
  place.hidden = false
  byId('conflict-heading').focus()

  return new Promise((resolve) => {
    const choose = (id: string, settled: () => Settled) => {
      byId(id).onclick = () => {
        place.hidden = true
        resolve(settled())
      }
    }
    choose('keep-mine', () => ({ how: 'mine' }))
    choose('take-theirs', () => ({ how: 'theirs' }))
    choose('merge', () => ({ how: 'merge', ...merge(base, mine, theirs?.text ?? '') }))
  })
}

function showLines(place: HTMLElement, text: string | null, other: string): void {
  if (text === null) {
    place.replaceChildren(make('p', { className: 'soft' }, 'Deleted'))
    return
  }
  // What scrolls must be in reach of the keyboard.
  place.tabIndex = 0
  const lines = linesOf(text)
  const differing = onlyIn(lines, linesOf(other))
  place.replaceChildren(
    ...lines.map((line, at) =>
      make(differing.has(at) ? 'mark' : 'div', { className: 'line' }, line || '\u200b'),
    ),
  )
}
