import { closeSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'

/** What the kernel reads of a program to know how it is started. */
const HEAD_BYTES = 256

/** The first bytes of a program; empty where it cannot be read. */
export function headOf(file: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  try {
    const fd = openSync(file, 'r')
    try {
      return head.subarray(0, readSync(fd, head, 0, HEAD_BYTES, 0))
    } finally {
      closeSync(fd)
    }
  } catch {
    return head.subarray(0, 0)
  }
}

/**
 * The command that the first line of a script names: its interpreter, and the words that follow. Nothing where the file is
 * no script.
 */
export function shebangOf(head: Buffer): readonly [interpreter: string, ...words: string[]] | undefined {
  if (head.subarray(0, 2).toString('latin1') !== '#!') return undefined
  const [line = ''] = head.subarray(2).toString().split('\n', 1)
  const [interpreter = '', ...words] = line.split(/[ \t]+/).filter(Boolean)
  return interpreter === '' ? undefined : [interpreter, ...words]
}

/** Options of `env` that take a word of their own. */
const WITH_WORD = new Set(['-u', '--unset', '-C', '--chdir'])

/** The program that `env` starts, of the words behind it; nothing where the program is not `env`, or starts none. */
export function startedByEnv(program: string, words: readonly string[]): string | undefined {
  if (basename(program) !== 'env') return undefined
  const rest = words.flatMap((word) =>
    word.startsWith('-S') || word.startsWith('--split-string')
      ? word.replace(/^(-S|--split-string=?)/, '').split(/[ \t]+/)
      : [word],
  )
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    if (WITH_WORD.has(word)) at += 1
    else if (word !== '' && !word.startsWith('-') && !word.includes('=')) return word
  }
  return undefined
}
