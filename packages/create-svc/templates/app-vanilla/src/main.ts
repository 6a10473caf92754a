import { svc } from '@svc/sdk'
import { followTheme } from '@svc/sdk/theme'
import { byId } from './by-id.ts'
import { loadName, saveName } from './saved-name.ts'
import { showTrouble } from './trouble.ts'

const input = byId('name', HTMLInputElement)
const button = byId('save', HTMLButtonElement)

const greet = (name: string | null) => {
  byId('greeting').textContent = `Hello, ${name ?? 'stranger'}`
}

/** Does what may fail, and shows what the host said if it does. */
async function attempt(act: () => Promise<void>): Promise<void> {
  showTrouble(byId('trouble'), null)
  await act().catch((error: unknown) => showTrouble(byId('trouble'), error))
}

button.onclick = () =>
  attempt(async () => {
    const name = input.value.trim()
    if (name === '') return
    await saveName(name)
    greet(name)
  })
// A sandboxed document cannot submit a form, so Enter is handled here.
input.onkeydown = ({ key, isComposing }) => {
  if (key === 'Enter' && !isComposing) button.click()
}

followTheme(svc)
await attempt(async () => {
  greet(await loadName())
  await svc.window.ready()
})
