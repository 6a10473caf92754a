import { byId } from './by-id.ts'
import { type TableText, tableText } from './table-text.ts'

/** A table to describe: its name, its size in bytes, and its text, read only when it is asked for. */
export interface Source {
  readonly name: string
  readonly bytes: number
  text(): Promise<TableText>
}

/** Takes a table from a drop anywhere in the window, from the file picker, or the sample that the bundle brings. */
export function takeFiles(take: (source: Source) => void): void {
  const picker = byId('file', HTMLInputElement)
  const drop = byId('drop')
  const takeFirst = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (!file) return
    const { name, size: bytes } = file
    take({ name, bytes, text: async () => tableText(new Uint8Array(await file.arrayBuffer()), name) })
  }

  picker.onchange = () => {
    takeFirst(picker.files)
    // Choosing the same file once more is a choice too.
    picker.value = ''
  }
  document.ondragover = (event) => {
    event.preventDefault()
    drop.classList.add('over')
  }
  document.ondragleave = ({ relatedTarget }) => {
    if (relatedTarget === null) drop.classList.remove('over')
  }
  document.ondrop = (event) => {
    event.preventDefault()
    drop.classList.remove('over')
    takeFirst(event.dataTransfer?.files)
  }
  byId('sample').onclick = () => take({ name: 'journeys.csv', bytes: 0, text: loadSample })
}

/** The sample is a script of its own, because a bundle may load scripts from its folder but fetch nothing. */
const loadSample = async (): Promise<TableText> => ({
  text: (await import('../data/journeys.csv?raw')).default,
  encoding: 'UTF-8',
})
