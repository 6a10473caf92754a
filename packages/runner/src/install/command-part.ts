import { isAbsolute, join, normalize, sep } from 'node:path'

/** A word of a command: as it stands, or a file of the install, named from its folder. */
export type CommandPart = string | { readonly in: string }

/** The command of an install that lies in this folder. */
export const commandIn = (folder: string, words: readonly CommandPart[]): readonly string[] =>
  words.map((word) => (typeof word === 'string' ? word : join(folder, word.in)))

/** Whether these are the words of a command whose files stay in their folder: what a file says may be damaged. */
export const areCommandParts = (value: unknown): value is readonly CommandPart[] =>
  Array.isArray(value) && value.length > 0 && value.every(isWord)

function isWord(value: unknown): value is CommandPart {
  if (typeof value === 'string') return value !== ''
  const path = typeof value === 'object' && value !== null && 'in' in value ? value.in : undefined
  if (typeof path !== 'string' || path === '' || isAbsolute(path)) return false
  return !normalize(path).split(sep).includes('..')
}
