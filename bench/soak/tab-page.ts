/**
 * Runs in the page of the shell: opens and closes windows by its buttons. What drives a browser from outside keeps code and
 * elements in the page for each of its questions, which would grow where the shell does not.
 */
const TITLE = 'ready'

const until = <T>(look: () => T | null | undefined | false) =>
  new Promise<T>((resolve) => {
    const tick = () => {
      const found = look()
      if (found) resolve(found)
      else setTimeout(tick, 5)
    }
    tick()
  })

const windows = () => [...document.querySelectorAll('[data-window]')]

/** Opens a window of the app and waits until its document has connected and given it its title. */
async function open(): Promise<Element> {
  const count = windows().length
  document.querySelector<HTMLElement>('nav [title^="Open Soak"]')?.click()
  return until(() => {
    const last = windows().at(-1)
    return windows().length > count && last?.getAttribute('aria-label') === TITLE && last
  })
}

/** Opens so many windows, each closed before the next. */
async function openAndClose(count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const window = await open()
    window.querySelector<HTMLElement>('[aria-label^="Close "]')?.click()
    await until(() => !window.isConnected)
  }
}

Object.assign(globalThis, { soakTab: { open: () => open().then(() => {}), openAndClose } })
