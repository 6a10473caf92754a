import { isHostRpcError, svc } from '@svc/sdk'

const KEY = 'name'

/** Reads the name that was saved; `null` where there is none. */
export async function loadName(): Promise<string | null> {
  try {
    const { value } = await svc.storage.get({ key: KEY })
    return String(value)
  } catch (error) {
    if (isHostRpcError(error) && error.code === 'not_found') return null
    throw error
  }
}

/** Saves a name, and shows it in the title of the window. */
export async function saveName(name: string): Promise<void> {
  await svc.storage.set({ key: KEY, value: name })
  await svc.window.set_title({ title: `Hello, ${name}` })
}
