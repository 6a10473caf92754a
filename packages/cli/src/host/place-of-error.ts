import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The line that Node prints above an error of syntax, with the code and perhaps a mark under it. */
const SYNTAX = /^(\/.+|[A-Za-z]:\\.+):(\d+)\n(?:.*\n( *)\^)?/
/** The first place in a stack that is in a file of the user. */
const STACK = /\(?(file:\/\/[^\s)]+):(\d+):(\d+)\)?/

/** Where a module failed to load, as `file:line:column`; `null` where Node does not tell. */
export function placeOfError(error: unknown, file: string): string | null {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const place = syntaxPlace(stack) ?? stackPlace(stack)
  if (place !== null || !(error instanceof SyntaxError)) return place
  // The place of an error of syntax in JavaScript is printed, and is no part of the error.
  return syntaxPlace(spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr)
}

function syntaxPlace(text: string): string | null {
  const [, file, line, indent] = SYNTAX.exec(text) ?? []
  if (file === undefined) return null
  return [file, line, ...(indent === undefined ? [] : [indent.length + 1])].join(':')
}

function stackPlace(stack: string): string | null {
  const [, url, line, column] = STACK.exec(stack) ?? []
  return url === undefined ? null : [fileURLToPath(url), line, column].join(':')
}
