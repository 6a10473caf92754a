import { isAbsolute, join, normalize, sep } from 'node:path'

/** A word of a command: as it stands, or a file of the install, named from its folder. */
export type Word = string | { readonly in: string }

/** The command of an install that lies in this folder. */
export const commandIn = (folder: string, words: readonly Word[]): readonly string[] =>
  words.map((word) => (typeof word === 'string' ? word : join(folder, word.in)))

/** Whether these are the words of a command whose files stay in their folder: what a file says may be damaged. */
export const areWords = (value: unknown): value is readonly Word[] =>
  Array.isArray(value) && value.length > 0 && value.every(isWord)

function isWord(value: unknown): value is Word {
  if (typeof value === 'string') return value !== ''
  const path = typeof value === 'object' && value !== null && 'in' in value ? value.in : undefined
  if (typeof path !== 'string' || path === '' || isAbsolute(path)) return false
  return !normalize(path).split(sep).includes('..')
}
