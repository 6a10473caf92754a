import { type BeforeClose, svc } from '@svc/sdk'
import { type ConnectionState, createConnectionState, createTitle } from '@svc/sdk/state'
import { type MaybeRefOrGetter, onMounted, onUnmounted, type ShallowRef, toValue, watchEffect } from 'vue'
import { useShown } from './use-shown.ts'

/**
 * Returns whether the document is in a host, its hello (window, app, view, payload), and the page's theme, language, focus
 * and styles as `context`. It connects the document.
 */
export const useConnection = (): Readonly<ShallowRef<ConnectionState>> => useShown(createConnectionState(svc))

/**
 * Gives the window a title while the component is mounted. An unmount leaves it. Outside a host it does nothing.
 *
 * @param title 1–120 characters, or a ref or getter of them.
 */
export function useTitle(title: MaybeRefOrGetter<string>): void {
  const setTitle = createTitle(svc)
  onMounted(() => watchEffect(() => setTitle(toValue(title))))
}

/**
 * Asks a handler before the user closes the window: `false`, or a promise of it, keeps the window open. The page waits
 * 1 s. `svc.window.close()` closes the window without asking.
 */
export function useBeforeClose(handler: BeforeClose): void {
  let stop = () => {}
  onMounted(() => {
    stop = svc.onBeforeClose(handler)
  })
  onUnmounted(() => stop())
}
