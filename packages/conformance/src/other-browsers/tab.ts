/** The folder beside its profile into which a browser saves files. */
export const SAVED = 'saved'

/** One tab of a browser that is driven from outside. */
export interface Tab {
  /** Loads a page; resolves when it has loaded, or has failed to. */
  goto(url: string): Promise<unknown>
  /** Runs the body of an async function in the page, or in its newest frame; resolves with what it returns, as JSON. */
  run(body: string, where?: 'page' | 'frame'): Promise<unknown>
  /** Presses an element of the newest frame as a user does. */
  press(selector: string): Promise<void>
  /** What the clipboard has, as a user pastes it into a new field of the page. */
  paste(): Promise<unknown>
  /** The names under a domain that the browser has looked up, where a machine can see it. */
  names(domain: string): Set<string>
  close(): Promise<void>
}

/** The first labels of names under a domain that stand in a text, as the ways that they are for. */
export function namesUnder(domain: string, text: string): Set<string> {
  const found = text.matchAll(new RegExp(`([a-z-]+)\\.${domain.replaceAll('.', '\\.')}`, 'g'))
  return new Set([...found].map(([, name = '']) => name.replaceAll('-', ' ')))
}
