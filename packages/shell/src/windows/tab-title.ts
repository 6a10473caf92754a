import type { DeskWindow } from '../state/state.ts'

/** What looks like the end of a quote. */
const QUOTE = /[\p{Pi}\p{Pf}"„‟]/gu
const quote = (text: string): string => `“${text.replace(QUOTE, "'")}”`

/**
 * The title of the browser's tab while a window is in front. What an app chose is quoted, and begins with whose words it
 * is: it cannot pass for a sentence of ours.
 */
export const tabTitle = ({ title, app }: Pick<DeskWindow, 'title' | 'app'>): string =>
  title === app.name ? `App ${quote(title)} · svc` : `App ${quote(app.name)}: ${quote(title)} · svc`
