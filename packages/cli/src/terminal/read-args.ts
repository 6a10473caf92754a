import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { failure } from './failure.ts'

const HINT = `An example: --args '{"text": "hello"}'; @file reads a file, - reads stdin.`

/** Reads `--args`: a JSON object, `@file` or `-` for stdin; left out, none. Errors: `usage`, `config`. */
export async function readArgs(given: string | undefined): Promise<Record<string, unknown>> {
  if (given === undefined) return {}
  const source = await sourceOf(given)
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch (error) {
    throw failure(
      'usage',
      `--args is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      HINT,
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw failure(
      'usage',
      `--args must be a JSON object, got ${Array.isArray(value) ? 'an array' : JSON.stringify(value)}`,
      HINT,
    )
  return value as Record<string, unknown>
}

async function sourceOf(given: string): Promise<string> {
  if (given === '-') return text(process.stdin)
  if (!given.startsWith('@')) return given
  const file = given.slice(1)
  return readFile(file, 'utf8').catch((error: Error) => {
    throw failure('config', `the arguments could not be read from ${file}: ${error.message}`)
  })
}

/** Reads a length in ms, such as `--timeout`. Errors: `usage`. */
export function readMs(
  name: string,
  given: string | undefined,
  { preset, min, max }: { readonly preset: number; readonly min: number; readonly max: number },
): number {
  if (given === undefined) return preset
  const ms = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN
  if (ms >= min && ms <= max) return ms
  throw failure(
    'usage',
    `--${name} must be a whole number of ms from ${min} to ${max}, got ${JSON.stringify(given)}`,
  )
}
