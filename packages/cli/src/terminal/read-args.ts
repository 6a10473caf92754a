import { limits } from '@svc/contract/limits'
import { readPersonJson, readPersonText } from '@svc/contract/person-text'
import { failure } from './failure.ts'
import { readTextFile } from './text-file.ts'
import { wholeText } from './text-rules.ts'

const HINT = `An example: --args '{"text": "hello"}'; @file reads a file, - reads stdin.`

/** Reads `--args`: a JSON object, `@file` or `-` for stdin; left out, none. Errors: `usage`, `config`. */
export async function readArgs(given: string | undefined): Promise<Record<string, unknown>> {
  if (given === undefined) return {}
  const { text, name } = await sourceOf(given)
  const read = readPersonJson(text, name)
  if ('problem' in read) throw failure('usage', read.problem, HINT)
  const { value } = read
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw failure(
      'usage',
      `${name} must hold a JSON object, got ${Array.isArray(value) ? 'an array' : JSON.stringify(value)}`,
      HINT,
    )
  return value as Record<string, unknown>
}

async function sourceOf(given: string): Promise<{ readonly text: string; readonly name: string }> {
  if (given === '-') return { text: await readStdin(), name: 'stdin' }
  if (!given.startsWith('@')) return { text: given, name: '--args' }
  const name = given.slice(1)
  if (name === '') throw failure('usage', '--args @ names no file', HINT)
  return { text: readTextFile(name), name }
}

async function readStdin(): Promise<string> {
  const { TEXT_FILE_MAX_BYTES: max } = limits
  const pieces: Buffer[] = []
  let total = 0
  for await (const piece of process.stdin) {
    total += piece.length
    if (total > max) throw failure('usage', `stdin has more than ${max} bytes, which is the most for --args`)
    pieces.push(piece)
  }
  const read = readPersonText(Buffer.concat(pieces), 'stdin')
  if ('problem' in read) throw failure('usage', read.problem)
  return read.text
}

/** Reads a length in ms, such as `--timeout`. Errors: `usage`. */
export function readMs(
  name: string,
  given: string | undefined,
  { preset, min, max }: { readonly preset: number; readonly min: number; readonly max: number },
): number {
  const problem = given === undefined ? null : wholeText(min, max, ' of ms')(given, `--${name}`)
  if (problem !== null) throw failure('usage', problem)
  return given === undefined ? preset : Number(given)
}
