import { visibleLine } from '@svc/contract/visible-text'

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would take for colours
const COLOUR = /\u001b\[[\d;]*[A-Za-z]/g
/** A word is looked at from its beginning only: from every place in it, a long one would take time by its square. */
const SECRET =
  /\/\/[^/\s]+@|((?<![\w-])(?=[\w-]*(?:auth|token|passw|secret|_key))[\w-]+["']?\s*[=:]\s*(?:(?:basic|bearer|token)\s+)?)\S+/gi

/**
 * What a program wrote as text that may be shown: without colours; what is before the host of a URL or behind the name of
 * a secret is left out. Line ends stay.
 */
export const withoutSecrets = (text: string): string =>
  text.replace(COLOUR, '').replace(SECRET, (_whole, name?: string) => (name ? `${name}…` : '//…@'))

/** One line of it; characters that are not seen or turn the text around are escaped. */
export const plainLine = (text: string): string => visibleLine(withoutSecrets(text))
