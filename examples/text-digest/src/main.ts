import { isHostRpcError, svc } from '@svc/sdk'
import { followTheme } from '@svc/sdk/theme'
import sample from '../data/sample.txt?raw'
import { askForDigest } from './ask.ts'
import { byId } from './by-id.ts'
import { showDigest } from './show-digest.ts'
import { showTrouble } from './trouble.ts'

const noModel =
  'This host has no models (it does not offer llm.complete), so this app cannot work here. Ask whoever runs the host to add one'

const text = byId('text', HTMLTextAreaElement)
/** Cancels the question that is under way; `null` where none is. */
let asked: AbortController | null = null

followTheme(svc)
byId('go').onclick = digest
byId('cancel').onclick = () => asked?.abort()
byId('sample').onclick = () => {
  text.value = sample
  text.setSelectionRange(0, 0)
  text.scrollTop = 0
  tellExtent()
  text.focus()
}
text.oninput = tellExtent
document.onkeydown = (event) => {
  if (event.key === 'Escape') asked?.abort()
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  // Firefox and WebKit would press what has the focus afterwards: the button that cancels.
  event.preventDefault()
  byId('go').click()
}

try {
  await svc.ready
  if (!(await svc.supports('llm.complete'))) throw new Error(noModel)
  tellExtent()
  await svc.window.ready()
} catch (error) {
  showTrouble(byId('trouble'), error)
}

async function digest(): Promise<void> {
  if (asked || text.value.trim() === '') return text.focus()
  const mine = new AbortController()
  const from = performance.now()
  turn(mine)
  try {
    const { value } = text
    showDigest(value, await askForDigest(value, mine.signal), performance.now() - from)
  } catch (error) {
    // Who cancelled knows why there is nothing.
    const isCancelled = isHostRpcError(error) && error.code === 'cancelled'
    byId('stopped').hidden = !isCancelled
    showTrouble(byId('trouble'), isCancelled ? null : error)
  } finally {
    turn(null)
  }
}

/** Whether a question is under way; what was shown of the one before is taken away. */
function turn(to: AbortController | null): void {
  const hadFocus = byId('working').contains(document.activeElement)
  asked = to
  byId('working').hidden = to === null
  byId('go', HTMLButtonElement).disabled = to !== null
  if (to) {
    byId('digest').hidden = true
    byId('stopped').hidden = true
    showTrouble(byId('trouble'), null)
    byId('cancel').focus()
  } else if (hadFocus) text.focus()
}

function tellExtent(): void {
  const count = new Intl.NumberFormat(document.documentElement.lang).format(text.value.length)
  byId('extent').textContent = `${count} characters · Ctrl + Enter to digest, Escape to cancel`
}
