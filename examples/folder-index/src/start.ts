import type { Folder } from '../plugin/folders.ts'
import { byId } from './by-id.ts'
import { formatBytes, formatCount } from './format.ts'
import { make } from './make.ts'
import { onEnter } from './on-enter.ts'
import { listFolders } from './plugin.ts'
import { showTrouble } from './trouble.ts'

/** Opens what starts a job, with the folders that the plugin has; any other name can be typed too. */
export async function openStart(start: (folder: string, seconds: number) => Promise<void>): Promise<void> {
  const input = byId('folder', HTMLInputElement)
  let folders: readonly Folder[] = []
  const tellExtent = () => {
    byId('extent').textContent = extentOf(folders.find(({ folder }) => folder === input.value))
  }
  input.oninput = tellExtent

  onEnter(input, () => byId('go').click())
  byId('go').onclick = async () => {
    showTrouble(byId('trouble'), null)
    const seconds = byId('seconds', HTMLInputElement).valueAsNumber
    await start(input.value.trim(), seconds).catch((error: unknown) => showTrouble(byId('trouble'), error))
  }
  // The list is the plugin's, which may have to start first.
  byId('start').hidden = false
  folders = await listFolders()
  byId('folders').replaceChildren(...folders.map(({ folder }) => make('option', { value: folder })))
  input.value ||= folders[0]?.folder ?? ''
  tellExtent()
}

function extentOf(folder: Folder | undefined): string {
  if (!folder) return ''
  const locale = document.documentElement.lang
  return `${formatCount(folder.files, locale)} texts, ${formatBytes(folder.bytes, locale)}`
}
