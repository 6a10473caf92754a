import { svc } from '@svc/sdk'
import { followTheme } from '@svc/sdk/theme'
import { byId } from './by-id.ts'
import { createEditor } from './editor.ts'
import { createShelf } from './shelf.ts'
import { createNote, keyOf } from './store.ts'
import { showTrouble } from './trouble.ts'

followTheme(svc)
const shelf = createShelf((note) => attempt(() => editor.open(note)))
const editor = createEditor(shelf)
const newName = byId('new-name', HTMLInputElement)

onPress('add', addNote)
onPress('save', editor.save)
onPress('delete', editor.remove)
onPress('save-close', async () => {
  byId('unsaved').hidden = true
  if (await editor.save()) await svc.window.close()
})
onPress('discard-close', () => svc.window.close())
onPress('stay', () => {
  byId('unsaved').hidden = true
})
// A sandboxed document may not submit forms, so Enter is heard by hand.
newName.onkeydown = ({ key, isComposing }) => {
  if (key === 'Enter' && !isComposing) byId('add').click()
}
document.onkeydown = (event) => {
  if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  byId('save').click()
}
byId('prefix').oninput = () => attempt(shelf.refresh)
// What another window wrote shows up as soon as the user comes back to this one.
svc.on('context', ({ focused }) => {
  if (!focused) return editor.leave()
  attempt(async () => {
    await shelf.refresh()
    await editor.look()
  })
})
svc.onBeforeClose(() => {
  byId('unsaved').hidden = !editor.isDirty
  return !editor.isDirty
})

await attempt(async () => {
  await svc.ready
  await shelf.refresh()
  await svc.window.ready()
})

/** Adds an empty note and opens it; a name that is taken opens the note that has it. */
async function addNote(): Promise<void> {
  const name = newName.value.normalize('NFC').trim()
  if (name === '') {
    newName.focus()
    return
  }
  const key = keyOf(name)
  const isOurs = await createNote(key, name)
  newName.value = ''
  await shelf.refresh()
  await editor.open({ key, name })
  if (!isOurs) throw new Error('Another window has just created a note of that name: this is its text')
}

function onPress(id: string, act: () => unknown): void {
  byId(id).onclick = () => attempt(act)
}

/** Does something and shows what went wrong. */
async function attempt(act: () => unknown): Promise<void> {
  const trouble = byId('trouble')
  try {
    showTrouble(trouble, null)
    await act()
  } catch (error) {
    showTrouble(trouble, error)
  }
}
