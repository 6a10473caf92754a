import { svc } from '@svc/sdk'
import { byId } from './by-id.ts'
import { settle } from './conflict.ts'
import type { Shelf } from './shelf.ts'
import { type Listed, readNote, removeNote, type Stored, writeNote } from './store.ts'
import { createTurns } from './turns.ts'

/** The note that is open: `base` is the stored version that its text was made from. */
interface Open extends Pick<Listed, 'key' | 'name'> {
  base: Stored
}

/** The place where one note is written. */
export interface Editor {
  open(note: Pick<Listed, 'key' | 'name'>): Promise<void>
  /** Saves; answers whether the text is stored now. A conflict is the user's to settle first. */
  save(): Promise<boolean>
  remove(): Promise<void>
  /** Shows what other windows wrote meanwhile; a text that is not saved stays. */
  look(): Promise<void>
  /** The user went to another window, which may write the same note: says what is known from then on. */
  leave(): void
  readonly isDirty: boolean
}

/** Makes the editor. */
export function createEditor(shelf: Pick<Shelf, 'refresh' | 'mark'>): Editor {
  const text = byId('text', HTMLTextAreaElement)
  let open: Open | null = null
  // One at a time: a second save must stand on what the first one wrote, or this window is in its own way.
  const turns = createTurns((busy) => {
    byId('save', HTMLButtonElement).disabled = busy
    byId('delete', HTMLButtonElement).disabled = busy
  })
  const isDirty = () => open !== null && text.value !== open.base.text

  text.oninput = () => say(isDirty() ? 'Not saved' : 'Saved')

  function show(note: Open | null): void {
    open = note
    shelf.mark(note?.key ?? null)
    byId('welcome').hidden = note !== null
    byId('editor').hidden = note === null
    void svc.window.set_title({ title: note ? `${note.name} – Notes`.slice(0, 120) : 'Notes' })
    if (!note) return
    byId('name').textContent = note.name
    text.value = note.base.text
    showBase(note)
  }

  /** The version that is stored; what stands in the text is left alone. */
  function showBase({ base }: Open): void {
    byId('etag').textContent = base.etag
    say(isDirty() ? 'Not saved' : 'Saved')
  }

  async function save(): Promise<boolean> {
    const note = open
    if (!note) return true
    const mine = text.value
    say('Saving …')
    const written = await writeNote(note.key, note.name, mine, note.base.etag).catch((error: unknown) => {
      say('Not saved')
      throw error
    })
    // What was written while the host was asked belongs to the text that is weighed.
    if ('inTheWay' in written) return resolve(note, text.value, written.inTheWay)
    note.base = { text: mine, etag: written.etag }
    showBase(note)
    await shelf.refresh()
    return true
  }

  /** Shows the conflict and does what the user chose; `true` when the text is stored after it. */
  async function resolve(note: Open, mine: string, theirs: Stored | null): Promise<boolean> {
    byId('editor').hidden = true
    const settled = await settle({ base: note.base.text, mine, theirs })
    byId('editor').hidden = false
    if (settled.how === 'theirs') {
      show(theirs && { ...note, base: theirs })
      await shelf.refresh()
      return true
    }
    text.focus()
    if (settled.how === 'merge' && theirs) {
      note.base = theirs
      text.value = settled.text
      showBase(note)
      say(sayMerged(settled.clashes))
      return false
    }
    // Mine stands over the version that was shown, not over one that nobody has seen.
    const written = await writeNote(note.key, note.name, mine, theirs?.etag ?? null)
    if ('inTheWay' in written) return resolve(note, mine, written.inTheWay)
    note.base = { text: mine, etag: written.etag }
    showBase(note)
    await shelf.refresh()
    return true
  }

  async function change(note: Pick<Listed, 'key' | 'name'>): Promise<void> {
    if (open?.key === note.key) return
    // Nothing is written into a text that is about to go.
    text.readOnly = true
    try {
      if (isDirty() && !(await save())) return
      const base = await readNote(note.key)
      if (!base) return await shelf.refresh()
      show({ ...note, base })
    } finally {
      text.readOnly = false
    }
    text.focus()
  }

  async function remove(): Promise<void> {
    const note = open
    if (!note) return
    const gone = await removeNote(note.key, note.base.etag)
    if ('inTheWay' in gone && gone.inTheWay) {
      show({ ...note, base: gone.inTheWay })
      say('Not deleted: another window changed it. This is its new text')
    } else show(null)
    await shelf.refresh()
  }

  async function look(): Promise<void> {
    const note = open
    if (!note) return
    const { etag } = note.base
    const stored = await readNote(note.key)
    // Saved meanwhile, or another one is open.
    if (note !== open || note.base.etag !== etag) return
    if (stored?.etag === etag) showBase(note)
    else if (isDirty()) say('Not saved. Another window has changed this note')
    else if (stored === null) say('Another window has deleted this note')
    else {
      show({ ...note, base: stored })
      say('Another window changed it. This is its new text')
    }
  }

  return {
    look,
    leave() {
      if (open && !isDirty()) say('Saved when you left this window')
    },
    open: (note) => turns(() => change(note)),
    save: () => turns(save),
    remove: () => turns(remove),
    get isDirty() {
      return isDirty()
    },
  }
}

const sayMerged = (clashes: number) =>
  clashes === 0
    ? 'Merged, not saved'
    : `Merged, not saved: both versions are in ${clashes} ${clashes === 1 ? 'place' : 'places'}, yours first`

const say = (sentence: string) => {
  byId('state').textContent = sentence
}
