import type { Finding } from './lint.ts'

/** What the sandbox of a bundle refuses to load, as it shows in the text of a page. */
const refused: readonly { readonly shows: RegExp; readonly problem: string; readonly hint: string }[] = [
  {
    shows: /<script\b[^>]*\bsrc\s*=\s*["']?(https?:)?\/\//i,
    problem: 'a script is loaded from another host, which the page refuses',
    hint: 'Put the script into the bundle.',
  },
  {
    shows: /<script\b(?![^>]*\bsrc\b)[^>]*>\s*\S/i,
    problem: 'a script is inline in the page, which is refused',
    hint: 'Put it into a file of the bundle.',
  },
  {
    shows: /<link\b[^>]*\bhref\s*=\s*["']?(https?:)?\/\//i,
    problem: 'a style or font is loaded from another host, which the page refuses',
    hint: 'Put the file into the bundle.',
  },
  {
    shows: /<(script|link|img)\b[^>]*\b(src|href)\s*=\s*["']?\/(?!\/)/i,
    problem: 'a file is loaded from a path that begins with "/", which is not the folder of the bundle',
    hint: 'Use a path relative to the page, such as "./main.js".',
  },
  {
    shows: /\son[a-z]+\s*=\s*["']/i,
    problem: 'an element has a handler in an attribute, which is refused',
    hint: 'Listen with addEventListener in a script of the bundle.',
  },
]

/** What the entry page asks for in vain. */
export const entryHints = (entry: string, text: string): Finding[] =>
  refused
    .filter(({ shows }) => shows.test(text.replaceAll(/<!--.*?-->/gs, '')))
    .map(({ problem, hint }) => ({ level: 'hint', where: entry, problem, hint }))
