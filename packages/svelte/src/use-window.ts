import { type BeforeClose, svc } from '@svc/sdk'
import { type ConnectionState, createConnectionState, createTitle } from '@svc/sdk/state'
import { onMount } from 'svelte'
import { toStore } from 'svelte/store'
import { useShown } from './use-shown.ts'

/**
 * Returns whether the document is in a host, its hello (window, app, view, payload), and the page's theme, language, focus
 * and styles as `context`. It connects the document.
 */
export const useConnection = (): ConnectionState => useShown(createConnectionState(svc))

/**
 * Gives the window a title while the component is mounted. An unmount leaves it. Outside a host it does nothing.
 *
 * @param title 1–120 characters, or a function that returns them: what it reads is followed.
 */
export function useTitle(title: string | (() => string)): void {
  const read = typeof title === 'string' ? () => title : title
  onMount(() => toStore(read).subscribe(createTitle(svc)))
}

/**
 * Asks a handler before the user closes the window: `false`, or a promise of it, keeps the window open. The page waits
 * 1 s. `svc.window.close()` closes the window without asking.
 */
export function useBeforeClose(handler: BeforeClose): void {
  onMount(() => svc.onBeforeClose(handler))
}
