import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The line that Node prints above an error of syntax, with the code and perhaps a mark under it. */
const SYNTAX = /^(\/.+|[A-Za-z]:\\.+):(\d+)\n(?:.*\n( *)\^)?/
/** The first place in a stack that is in a file of the user. */
const STACK = /\(?(file:\/\/[^\s)]+):(\d+):(\d+)\)?/

/** What Node says of a module that is written in the other kind, and what puts it right. */
const kinds: readonly (readonly [said: RegExp, hint: string])[] = [
  [
    /Unexpected token 'export'|Cannot use import statement outside a module/,
    'The package.json of its folder has "type": "commonjs". Run npm pkg set type=module there, or give the file the ending .mjs.',
  ],
  [
    /^(require|module|exports) is not defined in ES module scope/,
    'Write import and export default in place of require and module.exports.',
  ],
]

/** How to put right that a module is written in the other kind than its package says; `null`: it is not that. */
export function moduleHint(error: unknown): string | null {
  const message = error instanceof Error ? error.message : ''
  return kinds.find(([said]) => said.test(message))?.[1] ?? null
}

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
