import { byId } from './by-id.ts'
import { make } from './make.ts'
import { type Listed, listNotes } from './store.ts'

/** The list of notes. */
export interface Shelf {
  /** Reads the list again. */
  refresh(): Promise<void>
  /** Marks the open note; `null` for none. */
  mark(key: string | null): void
}

/** Keeps the list, and searches it by the beginning of a name; `open` is called with the note that was chosen. */
export function createShelf(open: (note: Pick<Listed, 'key' | 'name'>) => void): Shelf {
  const prefix = byId('prefix', HTMLInputElement)
  let marked: string | null = null
  let turn = 0
  let shown = ''

  async function refresh(): Promise<void> {
    const mine = ++turn
    const wanted = prefix.value
    const notes = await listNotes(wanted)
    // An answer that a later question has overtaken is not shown.
    if (mine !== turn) return
    // A list that is as it was stays: replacing it under the pointer would swallow the press.
    const now = JSON.stringify(notes)
    if (now !== shown) byId('list').replaceChildren(...notes.map(entry))
    shown = now
    byId('no-notes').hidden = notes.length > 0
    byId('no-notes').textContent =
      wanted.trim() === '' ? 'No notes yet.' : `No name begins with “${wanted.trim()}”.`
    mark(marked)
  }

  function entry({ key, name, excerpt, updatedAt }: Listed): HTMLLIElement {
    const button = make(
      'button',
      { type: 'button', className: 'entry', onclick: () => open({ key, name }) },
      make('span', { className: 'entry-name' }, name),
      make('span', { className: 'soft' }, excerpt || 'Empty'),
    )
    button.dataset.key = key
    if (updatedAt !== null) button.title = new Date(updatedAt).toLocaleString(document.documentElement.lang)
    return make('li', {}, button)
  }

  function mark(key: string | null): void {
    marked = key
    for (const button of byId('list').querySelectorAll('button'))
      button.ariaCurrent = button.dataset.key === key ? 'true' : null
  }

  return { refresh, mark }
}
