import { isHostRpcError, svc } from '@svc/sdk'

const button = document.querySelector<HTMLButtonElement>('#count')
const trouble = document.querySelector('#trouble')
if (!button || !trouble) throw new Error('index.html has no #count or no #trouble')

const show = (count: number) => {
  button.textContent = `Counted ${count}`
}
/** Says what went wrong, and what can be done about it; `null`: nothing did. */
const explain = (error: unknown) => {
  const said = isHostRpcError(error) ? [error.message, error.hint] : [error === null ? '' : String(error)]
  trouble.textContent = said
    .flatMap((text) => (text ? [/[.!?…]$/.test(text) ? text : `${text}.`] : []))
    .join(' ')
}

/** The number that the host keeps for this window. */
async function load(): Promise<number> {
  try {
    const { value } = await svc.storage.get({ key: 'count' })
    return Number(value)
  } catch (error) {
    if (isHostRpcError(error) && error.code === 'not_found') return 0
    throw error
  }
}

async function add(): Promise<void> {
  const count = (await load()) + 1
  await svc.storage.set({ key: 'count', value: count })
  await svc.window.set_title({ title: `Counter: ${count}` })
  show(count)
  explain(null)
}

button.onclick = () => add().catch(explain)
try {
  show(await load())
  button.disabled = false
  await svc.window.ready()
} catch (error) {
  explain(error)
}
