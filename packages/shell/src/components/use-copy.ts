import { useDesk } from './use-desk.ts'

/** Copies a text and tells a screen reader `said`; `instead` where the page may not use the clipboard. Returns whether it did. */
export function useCopy(): (text: string, said?: string, instead?: string) => Promise<boolean> {
  const { say } = useDesk()
  return async (text, said = 'Copied', instead = 'This page may not use the clipboard') => {
    try {
      // A page that is not served securely has no clipboard at all.
      await navigator.clipboard.writeText(text)
      say(said)
      return true
    } catch {
      say(instead)
      return false
    }
  }
}
